const published = 'https://slack.com/api/';

/**
 * Where Slack's Web API is, with a slash at its end. `SKILLGATE_SLACK_API_URL` names another place, such as an emulator.
 * Read at each call, so that one process may be pointed elsewhere. @throws Error for plain http:// to another machine
 */
export function slackAddress(env: NodeJS.ProcessEnv = process.env): string {
  const { href, protocol, hostname } = new URL(env.SKILLGATE_SLACK_API_URL || published);
  const here = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && here))
    throw new Error(
      'SKILLGATE_SLACK_API_URL is no https:// address (http:// is for 127.0.0.1 and localhost): tokens would be readable on the way',
    );
  return href.endsWith('/') ? href : `${href}/`;
}

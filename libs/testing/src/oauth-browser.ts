/**
 * Follows redirects within `issuer` as a browser with cookies, until it is sent elsewhere.
 *
 * @returns the address outside, with its query
 * @throws Error with the page's text when the server shows a page instead
 */
export async function follow(url: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>();
  let next = new URL(url);
  for (let hop = 0; hop < 10; hop += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(next, { redirect: 'manual', headers: cookie ? { cookie } : {} });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []; // name=value up to the first attribute
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    const location = answer.headers.get('location');
    if (!location) throw new Error(`${next.pathname} answered ${answer.status} and no redirect: ${(await answer.text()).slice(0, 500)}`);
    next = new URL(location, next);
    if (next.origin !== issuer) return next.href;
  }
  throw new Error(`the sign-in at ${issuer} went in circles`);
}

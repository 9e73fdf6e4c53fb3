import { secretVariables } from '@skillgate/standalone/house-environment';
import { makeSecrets, newPassword } from '@skillgate/standalone/house-secrets';

interface Section {
  about: string;
  variables: [name: string, value: string][];
}

/** Where PostgreSQL is called `postgres`: in the compose file and in the local overlay. */
const databaseUrl = (password: string): string => `postgres://postgres:${password}@postgres:5432/skillgate`;

/** Every secret of a new installation, by the reason for it. */
async function makeSections(): Promise<Section[]> {
  const postgres = newPassword();
  const all = Object.entries(secretVariables(await makeSecrets(), databaseUrl(postgres)));
  const named = (start: string) => all.filter(([name]) => name.startsWith(start));
  return [
    { about: 'Opens the whole API, manifests included.', variables: named('SKILLGATE_OPERATOR_KEY') },
    { about: 'One NATS user a service.', variables: named('SKILLGATE_NATS_PASSWORD_') },
    {
      about: "PostgreSQL's superuser, for its first start and for migrations.",
      variables: [
        ['POSTGRES_PASSWORD', postgres],
        ['SKILLGATE_DATABASE_ADMIN_URL', databaseUrl(postgres)],
      ],
    },
    { about: 'One role a service; migrations give it the password that stands here.', variables: named('SKILLGATE_DATABASE_URL_') },
    {
      about: 'Seals the credentials of integrations; the first of the list. bin/skillgate rotate-credentials --help says how to change it.',
      variables: named('SKILLGATE_CREDENTIAL_KEYS'),
    },
    { about: 'Sign tickets, receipts and grants: Ed25519 keys as JWK.', variables: named('SKILLGATE_SIGNING_KEY_') },
  ];
}

const head = `# Made by deploy/make-env. Docker Compose reads it as .env, the local overlay of Kubernetes as secrets.env.
# A value ends with its line and has no quotes around it, which is how both read it; a shell would not.
`;

const model = `# A real model, any endpoint that speaks OpenAI's protocol; without these lines the offline stand-in answers.
# SKILLGATE_MODEL_BASE_URL=https://models.example.com/v1
# SKILLGATE_MODEL_API_KEY=
# SKILLGATE_MODEL=
`;

const integrations = `# This house's clients at the providers of integrations, by the names in apps/accounts/integrations.yaml. One line of JSON:
# SKILLGATE_OAUTH_CLIENTS={"google":{"id":"","secret":""},"microsoft":{"id":"","secret":""},"notion":{"id":"","secret":""},"slack":{"id":"","secret":""}}

# Issuers whose tokens open accounts, and how this installation is called from outside. See apps/accounts/README.md.
# SKILLGATE_OIDC_ISSUERS=[{"issuer":"https://id.example.com","audience":"skillgate"}]
# SKILLGATE_PUBLIC_URL=https://skillgate.example.com
`;

const write = (sections: Section[], value: (value: string) => string): string =>
  [head, ...sections.map(({ about, variables }) => `# ${about}\n${variables.map(([name, own]) => `${name}=${value(own)}\n`).join('')}`), model, integrations].join('\n');

/** A new installation's `.env`: no two have a secret in common. */
export const newEnvironment = async (): Promise<string> => write(await makeSections(), (value) => value);

/** The same lines without their values, for the repository. */
export const exampleEnvironment = async (): Promise<string> => write(await makeSections(), () => '');

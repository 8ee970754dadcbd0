import { z } from 'zod';
import { mailSettings, mailVariables } from './mail/mail-settings';
import { accessVariables } from './settings/access-settings';
import { urlDefaults, urlVariables } from './settings/url-settings';
import {
  capacityVariables,
  processCounts,
  processVariables,
  slotVariable,
} from './settings/capacity-settings';
import { dataVariables } from './settings/data-settings';
import { mediaVariables } from './settings/media-settings';
import { camelCased } from './settings/names';
import { checkNode, nodeDefaults, nodeVariables } from './settings/node-settings';
import { oidcDefaults, oidcSettings, oidcVariables } from './settings/oidc-settings';
import { quotaDefaults, quotaVariables } from './settings/quota-settings';
import { checkRtc, rtcVariables } from './settings/rtc-settings';
import { speechSettings, speechVariables } from './settings/speech-settings';
import { srtVariables } from './settings/srt-settings';
import type { Reject } from './settings/variable-types';
import { s3Defaults, s3Settings, s3Variables } from './storage/s3-settings';
import { checkNodeTls, nodeTlsFiles, nodeTlsVariables } from './tls/node-tls-settings';
import {
  acmeDefaults,
  acmeSettings,
  acmeVariables,
  checkAcmeHosts,
  checkPublicTls,
  hasPublicTls,
  publicTlsFiles,
  publicTlsVariables,
} from './tls/public-tls-settings';

/**
 * The schema of all settings. Each variable is declared once, with its type, default and meaning; its property in the
 * settings has the same name in camel case (`RTMP_PORT` is `rtmpPort`). Properties of a part that can be off are in an
 * object, which is undefined while the part is off.
 */

const ownVariables = {
  ...urlVariables,
  ...srtVariables,
  ...rtcVariables,
  ...nodeVariables,
  ...dataVariables,
  ...capacityVariables,
  ...mediaVariables,
  ...accessVariables,
};

/** The variables of operators. docs/operations.md documents them; a test keeps both consistent. */
export const variablesSchema = z.object({
  ...ownVariables,
  ...processVariables,
  ...quotaVariables,
  ...publicTlsVariables,
  ...nodeTlsVariables,
  ...mailVariables,
  ...oidcVariables,
  ...speechVariables,
  ...s3Variables,
});
/** The variables of operators, and those that the service sets itself. */
export const processSchema = variablesSchema.extend(slotVariable);
type Variables = z.output<typeof processSchema>;
type Name = keyof typeof variablesSchema.shape;

/** Parts that can be off. `on` enables the part and requires the variables `requires`; `shape` has all variables of the part. */
const parts: readonly { readonly on: Name; readonly requires: readonly Name[]; readonly shape: object }[] = [
  { on: 'INTERNAL_TLS_CERT', requires: [], shape: nodeTlsVariables },
  { on: 'SMTP_URL', requires: ['MAIL_FROM'], shape: mailVariables },
  { on: 'OIDC_ISSUER', requires: ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'], shape: oidcVariables },
  { on: 'STT_MODEL_DIR', requires: [], shape: speechVariables },
  { on: 'S3_BUCKET', requires: ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'], shape: s3Variables },
  { on: 'ACME_EMAIL', requires: [], shape: acmeVariables },
];

/** The settings of the supervisor and the tools, which have no database and no secret yet. */
export const operatorSchema = processSchema.transform(completeVariables).transform(asSettings);

/** The settings of a role. */
export const settingsSchema = operatorSchema.transform((settings, context) => {
  const { databaseUrl, appSecret } = settings;
  const reject = rejectIn(context);
  if (databaseUrl === undefined) reject('DATABASE_URL', 'a postgres:// URL (npm start provides one)');
  if (appSecret === undefined) reject('APP_SECRET', 'at least 32 characters (npm start makes one)');
  return databaseUrl === undefined || appSecret === undefined
    ? z.NEVER
    : { ...settings, databaseUrl, appSecret };
});

/** Checks the variables together, and sets those whose default depends on others. */
function completeVariables(values: Variables, context: z.RefinementCtx) {
  const reject = rejectIn(context);
  for (const check of [checkParts, checkNode, checkNodeTls, checkPublicTls, checkRtc]) check(values, reject);
  const urls = urlDefaults(values, hasPublicTls(values));
  const acme = acmeDefaults({ ...values, ...urls });
  checkAcmeHosts(acme, reject);
  return {
    ...values,
    ...urls,
    ...acme,
    ...nodeDefaults(values),
    ...oidcDefaults(values),
    ...s3Defaults(values),
  };
}

function checkParts(values: Variables, reject: Reject): void {
  for (const { on, requires } of parts) {
    const missingNames =
      values[on] === undefined ? [] : requires.filter((name) => values[name] === undefined);
    for (const name of missingNames) reject(name, `because ${on} is set`);
  }
}

function rejectIn(context: z.RefinementCtx): Reject {
  return (name, expected) => context.addIssue({ code: 'custom', path: [name], message: expected });
}

type CompleteVariables = ReturnType<typeof completeVariables>;

function asSettings(values: CompleteVariables) {
  return {
    ...camelCased(values, Object.keys(ownVariables) as (keyof typeof ownVariables)[]),
    /** The settings as environment variables, for child processes. */
    environment: environmentOf(values),
    /** Index of this process in its role, from 1. */
    slot: values.PROCESS_SLOT,
    processes: processCounts(values),
    quotas: quotaDefaults(values),
    publicTls: publicTlsFiles(values),
    acme: acmeSettings(values),
    internalTls: nodeTlsFiles(values),
    mail: mailSettings(values),
    oidc: oidcSettings(values),
    speech: speechSettings(values),
    s3: s3Settings(values),
  };
}

/** The text of all variables, encoded by their schema. Variables of parts that are off are left out. */
function environmentOf(values: CompleteVariables): Readonly<Record<string, string>> {
  const unused = new Set(
    parts.flatMap(({ on, shape }) => (values[on] === undefined ? Object.keys(shape) : [])),
  );
  return Object.fromEntries(
    Object.entries(variablesSchema.encode(values)).flatMap(([name, value]) =>
      (typeof value === 'string' || typeof value === 'number') && !unused.has(name)
        ? [[name, String(value)]]
        : [],
    ),
  );
}

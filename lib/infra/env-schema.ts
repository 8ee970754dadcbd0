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
 * settings has the same name in camel case (`RTMP_PORT` is `rtmpPort`). A feature that can be off, such as mail or S3, has
 * its properties in an object, which is undefined while the feature is off.
 */

/** The variables that are properties of the settings themselves, not of an object in them. */
const ungroupedVariables = {
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
  ...ungroupedVariables,
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

interface Feature {
  /** The variable that switches the feature on. */
  readonly enabledBy: Name;
  /** Variables that must be set too. */
  readonly requires: readonly Name[];
  /** All variables of the feature. */
  readonly variables: object;
}

/** Features that can be off. */
const features: readonly Feature[] = [
  { enabledBy: 'INTERNAL_TLS_CERT', requires: [], variables: nodeTlsVariables },
  { enabledBy: 'SMTP_URL', requires: ['MAIL_FROM'], variables: mailVariables },
  { enabledBy: 'OIDC_ISSUER', requires: ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'], variables: oidcVariables },
  { enabledBy: 'STT_MODEL_DIR', requires: [], variables: speechVariables },
  { enabledBy: 'S3_BUCKET', requires: ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'], variables: s3Variables },
  { enabledBy: 'ACME_EMAIL', requires: [], variables: acmeVariables },
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
  for (const check of [checkFeatures, checkNode, checkNodeTls, checkPublicTls, checkRtc])
    check(values, reject);
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

function checkFeatures(values: Variables, reject: Reject): void {
  for (const { enabledBy, requires } of features) {
    const missingNames =
      values[enabledBy] === undefined ? [] : requires.filter((name) => values[name] === undefined);
    for (const name of missingNames) reject(name, `a value, because ${enabledBy} is set`);
  }
}

function rejectIn(context: z.RefinementCtx): Reject {
  return (name, expected) => context.addIssue({ code: 'custom', path: [name], message: expected });
}

type CompleteVariables = ReturnType<typeof completeVariables>;

function asSettings(values: CompleteVariables) {
  return {
    ...camelCased(values, Object.keys(ungroupedVariables) as (keyof typeof ungroupedVariables)[]),
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

/** The text of all variables, encoded by their schema. Variables of features that are off are left out. */
function environmentOf(values: CompleteVariables): Readonly<Record<string, string>> {
  const unusedNames = new Set(
    features.flatMap(({ enabledBy, variables }) =>
      values[enabledBy] === undefined ? Object.keys(variables) : [],
    ),
  );
  return Object.fromEntries(
    Object.entries(variablesSchema.encode(values)).flatMap(([name, value]) =>
      (typeof value === 'string' || typeof value === 'number') && !unusedNames.has(name)
        ? [[name, String(value)]]
        : [],
    ),
  );
}

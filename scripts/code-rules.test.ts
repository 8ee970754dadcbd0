import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { variablesSchema } from '@/lib/infra/env-schema';

const settingNames = Object.keys(variablesSchema.shape).join('|');

/**
 * Rules about code that the linter does not know, such as one function for one task. A file breaks a rule if it matches
 * `forbiddenPattern`. Tests, test doubles (`testing/`) and generated code are not checked.
 */
const rules: readonly {
  readonly rule: string;
  /** Paths of single files that may match the pattern: the implementation, and exceptions with their reason. */
  readonly allowedFiles: readonly string[];
  /** Folders whose files may all match the pattern. */
  readonly allowedPaths?: RegExp;
  /** Code that breaks the rule. */
  readonly forbiddenPattern: RegExp;
  /** Code that the pattern must match, so that a pattern without any effect is detected. */
  readonly exampleMatch: string;
}[] = [
  {
    rule: 'use InTransaction, not another type of a context in a transaction',
    allowedFiles: [],
    forbiddenPattern: /(?:Context|'db'>) & \{ (?:readonly )?db: Transaction \}/,
    exampleMatch: "type Tx = Omit<SystemContext, 'db'> & { readonly db: Transaction };",
  },
  {
    rule: "use notFound(), not AppError('not_found')",
    allowedFiles: ['lib/core/errors.ts'],
    forbiddenPattern: /AppError\('not_found'/,
    exampleMatch: "const missing = () => new AppError('not_found', 'not found');",
  },
  {
    rule: 'use an issue { field, message }, not a message that starts with the name of the field',
    allowedFiles: [],
    forbiddenPattern:
      /(?:AppError\(\s*'\w+',|notFound\(|errorAnswer\(\s*\d+,)\s*(?:'[a-zA-Z][\w-]*(?:\.\w+)*|`(?:\w+\.)*(?:[a-zA-Z][\w-]*|\$\{\w+\})): /,
    exampleMatch: "throw new AppError('invalid', `name: must have at most ${limit} characters`);",
  },
  {
    rule: 'use the field of an issue in forms, not a search for its name in the message',
    allowedFiles: [],
    forbiddenPattern: /\.startsWith\(`\$\{(?:field|name)\}:|\[a-zA-Z\]\+\)\[\^:/,
    exampleMatch: 'const message = messages.find((message) => message.startsWith(`${field}:`));',
  },
  {
    rule: 'use MutationForm, not a form element or useForm()',
    allowedFiles: [
      'components/ui/form/mutation-form.tsx',
      'components/ui/form/use-mutation-form.ts',
      // This form has one value, and shows its errors as notices.
      'components/ui/form/editable-heading.tsx',
      // These forms have one value each, and their dialogs show the errors.
      'components/ui/overlay/confirm-dialog.tsx',
      'components/assets/bulk-dialogs.tsx',
      // This form sends any request of the API, and shows the response as it is.
      'components/docs/request/request-panel.tsx',
      // Pages of viewers load neither react-hook-form nor the client.
      'app/watch/password-form.tsx',
      'components/clips/viewer-clip.tsx',
    ],
    forbiddenPattern: /<form\b|\buseForm[<(]/,
    exampleMatch: 'const { register } = useForm({ defaultValues });',
  },
  {
    rule: 'use the durations of lib/core/units.ts, not numbers such as 86_400 or constants such as DAY_MS',
    allowedFiles: ['lib/core/units.ts'],
    forbiddenPattern:
      /\b(?:86_400|86_400_000|3_600_000|604_800|604_800_000)\b|const (?:minute|hour|day|week|year)_?(?:ms|seconds)\b/i,
    exampleMatch: 'const DAY_MS = 24 * 60 * 60 * 1_000;',
  },
  {
    rule: 'use upper case for constant numbers of a file, not camel case',
    allowedFiles: [],
    forbiddenPattern: /^(?:export )?const [a-z]\w* = -?\d[\d_.e]*(?:;| [*/+-] )/m,
    exampleMatch: 'const retryIntervalMs = 2_000;',
  },
  {
    rule: 'use backoffDelay(), not an own exponential delay',
    allowedFiles: ['lib/core/backoff.ts'],
    forbiddenPattern:
      /(?:[dD]elay|[rR]etry|[wW]ait|first|base)\w*(?: = \w+)? \* (?:2|factor) \*\*|Math\.min\((?:2 \* \w*(?:[wW]ait|[dD]elay)|\w*(?:[wW]ait|[dD]elay)\w* \* 2)/,
    exampleMatch: 'const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** failures);',
  },
  {
    rule: 'use Secrets to sign and compare, not node:crypto',
    allowedFiles: [
      'lib/infra/secrets.ts',
      // Receivers of webhooks know the key.
      'lib/domain/webhooks/sign-delivery.ts',
      // The token of the operator is compared with its digest.
      'lib/infra/metrics/metrics-endpoint.ts',
      // SRT cookies are valid in one process only, under a random key.
      'media-worker/ingest/srt/cookies.ts',
      // TURN servers know the secret of the operator.
      'media-worker/delivery/origin/webrtc/turn-login.ts',
    ],
    forbiddenPattern: /\b(?:createHmac|timingSafeEqual)\(/,
    exampleMatch: "createHmac('sha256', key).update(text).digest();",
  },
  {
    rule: 'use createSignedToken() and readSignedToken() for a text with its signature, not Secrets',
    allowedFiles: [
      'lib/infra/signed-token.ts',
      // The token is in every playlist, so it is bytes, which are shorter than text.
      'lib/domain/access/playback-tokens.ts',
      // A WebAuthn challenge is bytes.
      'lib/domain/accounts/factors/challenges.ts',
      // The query parameter has parts of fixed lengths, and begins with its origin.
      'media-worker/delivery/origin/live/watch-playlists.ts',
      // The id in the link of a mail has parts of fixed lengths.
      'lib/domain/accounts/links.ts',
      // The signature is a header, and the text is the request.
      'lib/infra/node-signatures.ts',
      // The database compares the digest.
      'lib/domain/accounts/factors/recovery-codes.ts',
      // These digests are names.
      'lib/http/limits/limit-store.ts',
      'media-worker/delivery/uploads/upload-store.ts',
    ],
    forbiddenPattern: /[sS]ecrets\.(?:sign|verify)\(/,
    exampleMatch: "`${text}.${secrets.sign(purpose, text).toString('base64url')}`",
  },
  {
    rule: 'use SingleFlight to share work in progress, not a map of promises',
    allowedFiles: [
      'lib/core/single-flight.ts',
      // The second run of a task waits for the first one, and has its own result.
      'media-worker/vod/tasks/task-runs.ts',
    ],
    forbiddenPattern:
      /\.finally\(\(\) => (?:void |\{\s+(?:if \(.*\) )?)?(?:this\.)?#?(?!callbacks)\w+\.delete\(\w*(?:key|id|name|slice|folder)/i,
    exampleMatch: 'const work = load(key).finally(() => this.#running.delete(key));',
  },
  {
    rule: 'use cn() to join class names, and clsx() only on the pages of viewers',
    allowedFiles: [
      'components/ui/class-names.ts',
      // The player uses this logo, and does not load cn().
      'components/ui/mark.tsx',
    ],
    allowedPaths: /^(?:components\/player|app\/watch|app\/embed)\//,
    forbiddenPattern: /from '(?:clsx|tailwind-merge|class-variance-authority)'/,
    exampleMatch: "import { clsx } from 'clsx';",
  },
  {
    rule: 'use the settings of lib/infra/env.ts, not process.env',
    allowedFiles: ['lib/infra/env.ts'],
    // Scripts pass their environment to child processes. Samples of the docs are other programs.
    allowedPaths: /^(?:scripts|components)\//,
    forbiddenPattern: /\bprocess\.env\b/,
    exampleMatch: 'const { PORT } = process.env;',
  },
  {
    rule: 'use readOperatorSettings() in scripts, not process.env, to read a setting',
    allowedFiles: [],
    allowedPaths: /^components\//,
    forbiddenPattern: new RegExp(String.raw`\bprocess\.env(?:\.|\[')(?:${settingNames})\b`),
    exampleMatch: 'const folder = process.env.DATA_DIR;',
  },
  {
    rule: 'use the settings of the schema, not an own interface or mapping of variables',
    allowedFiles: [
      // lib/core does not know settings, so its types have other names for these.
      'lib/infra/settings/quota-settings.ts',
      'lib/infra/settings/capacity-settings.ts',
    ],
    forbiddenPattern: new RegExp(
      String.raw`\binterface (?:Operator)?Settings\b|\b[a-z]\w*: \w+\.(?:${settingNames})\b`,
    ),
    exampleMatch: 'return { rtmpPort: operator.RTMP_PORT };',
  },
  {
    rule: 'use the encoded settings as environment of child processes, not single variables',
    allowedFiles: [],
    forbiddenPattern: /\b\w+ToEnvironment\b|\[?(?:PORT|DATA_DIR|BASE_URL)\]?: (?:String\()?settings\./,
    exampleMatch: 'const mailToEnvironment = (mail) => ({ SMTP_URL: mail.smtpUrl });',
  },
  {
    rule: 'use the functions of end-session.ts to end a session, not another change of its state',
    allowedFiles: ['lib/domain/sessions/end-session.ts'],
    forbiddenPattern: /sessionMachine\.(?:statesBefore|stateAfter)\((?:'(?:clock|replaced)'|sessionEnds)/,
    exampleMatch: "data: { state: sessionMachine.stateAfter('replaced'), endedAt: now },",
  },
  {
    rule: 'use the lists of delete-old-files.ts to delete old files, not single calls',
    allowedFiles: [],
    allowedPaths: /^lib\/domain\//,
    forbiddenPattern:
      /\b(?:deleteOrphan\w*|deleteBytes|deleteImportedUploads|deleteRecordings|evictRenditions|expireDvrSegments|expireUploads|expireDeletedAccounts|deleteLogosOfDeletedTeams)\(/,
    exampleMatch: 'const orphans = (await deleteOrphans(ctx)) + (await deleteOrphanedLogos(ctx));',
  },
  {
    rule: 'use the name t for a translator, or t with its namespace (tUnits), not another name',
    allowedFiles: [],
    forbiddenPattern:
      /\bconst (?!t(?:[A-Z]\w*)? =)\w+ = (?:await )?(?:useTranslations|getTranslations)\([^()]*\);/,
    exampleMatch: "const unit = useTranslations('units');",
  },
  {
    rule: 'use fields in an object literal, not the spread of another literal',
    allowedFiles: [],
    // A spread of an object literal is the shorthand for attributes of the same names in JSX.
    forbiddenPattern: /(?<!\{)\.\.\.\{ /,
    exampleMatch: 'open({\n  ...{ role, clock },\n  onEnd,\n});',
  },
];

const root = join(import.meta.dirname, '..');
const pathsIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\.tsx?$/.test(path));
const readText = (path: string) => [path, readFileSync(join(root, path), 'utf8')] as const;
const texts = ['app', 'components', 'lib', 'media-worker', 'web', 'scripts']
  .flatMap(pathsIn)
  .filter((path) => !/\.test\.tsx?$|\/generated\/|\/testing\//.test(path))
  .map(readText);

test('the files of the repository are read', () => expect(texts.length).toBeGreaterThan(1_000));

describe.each(rules)('$rule', ({ allowedFiles, allowedPaths, forbiddenPattern, exampleMatch }) => {
  test('no other file matches the forbidden pattern', () => {
    const matches = texts.filter(
      ([path, text]) =>
        !allowedFiles.includes(path) && !allowedPaths?.test(path) && forbiddenPattern.test(text),
    );
    expect(matches.map(([path]) => path)).toEqual([]);
  });

  test('every allowed file exists and matches the forbidden pattern', () => {
    const needed = texts.filter(([path, text]) => allowedFiles.includes(path) && forbiddenPattern.test(text));
    expect(needed.map(([path]) => path).toSorted()).toEqual(allowedFiles.toSorted());
  });

  test('the forbidden pattern matches the example', () =>
    expect(forbiddenPattern.test(exampleMatch)).toBe(true));
});

test('end-to-end tests start no process synchronously, because that breaks the connections of their worker', () => {
  const blocking = pathsIn('e2e')
    .map(readText)
    .filter(([, text]) => /\b(?:execFile|spawn|exec)Sync\b/.test(text));
  expect(blocking.map(([path]) => path)).toEqual([]);
});

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { lockOutMessage } from '@/lib/core/accounts/lock-out';
import { tooLongMessage } from '@/lib/core/media/media-rules';
import { issueMessage, isFieldIssue } from '@/lib/core/errors';
import { quotaRejection } from '@/lib/core/quotas/quota';
import { reasonOf } from '@/lib/core/reasons/reason';
import { resolveClipRange } from '@/lib/core/sessions/clip-range';
import { pushOutcomes, formatTargetMessage, targetTestOutcomes } from '@/lib/core/targets/target-finding';

/** Every message for people has a code (lib/core/reasons/messages), so that it can be translated. */

const root = join(import.meta.dirname, '..');

/** Files whose messages are stored or shown instead of thrown: findings, rejected files, failed tasks. */
const filesWithMessages: readonly string[] = [
  'lib/core/access/key-policy.ts',
  'lib/core/media/conversion.ts',
  'lib/core/media/media-rules.ts',
  'lib/core/nodes/capacity.ts',
  'lib/core/quotas/quota.ts',
  'lib/core/renditions/ladder.ts',
  'lib/core/renditions/profile-rules.ts',
  'lib/core/renditions/transcode-plan.ts',
  'lib/core/sessions/clip-range.ts',
  'lib/core/streams/publish-admission.ts',
  'lib/core/streams/stream-doctor.ts',
  'lib/core/targets/target-finding.ts',
  'lib/core/targets/target-url.ts',
  'lib/domain/overview/read-open-problems.ts',
  'lib/domain/webhooks/send-delivery.ts',
  'lib/infra/egress/egress-error.ts',
  'lib/infra/egress/egress-redirect.ts',
  'media-worker/live/multistream/push-attempt.ts',
  'media-worker/live/multistream/target-push.ts',
  'media-worker/media/packaging/packager.ts',
  'media-worker/media/packaging/packager-period.ts',
  'media-worker/media/packaging/packager-tracks.ts',
  'media-worker/recording/finish-session.ts',
  'media-worker/recording/make-recording.ts',
  'media-worker/recording/recorder.ts',
  'media-worker/vod/import/accept-file.ts',
  'media-worker/vod/tasks/explain-failure.ts',
];

const destination = { kind: 'rtmp', host: 'live.example.com', port: 1935 } as const;

/** Error classes whose messages people may read. */
const errorClasses: readonly string[] = [
  'AppError',
  'EgressError',
  'RemoteFailure',
  'TaskFailure',
  'FfmpegKilled',
];

/** Messages that only programs read, in protocols of uploads and players and in the log. */
const programMessages =
  /^(Hint: |this upload was created with|error parsing filters|Upload-|Idempotency-Key|not a sign-in|the form must)|^(Content-|X-HTTP|Tus-)|__proto__/;

/** Stands for each value in the text of a template, such as `${name}`. It is a word with a digit, like many values. */
const placeholder = 'x7';

/** Parts of messages, messages with placeholders for parts, and names. The complete messages are tested below. */
const incompleteMessages: ReadonlySet<string> = new Set([
  'team x7 has reached the maximum number of pending tasksx7: x7 wait for a worker or for the rest of their file; the limit is x7. Try again when some have ended, or cancel them: they are on the Tasks page and in GET /api/task.',
  'uploads: x7 that were x7 wait for their file; the limit is x7. Send the files or delete the assets: they are on the Assets page and in GET /api/asset with the phase "waiting". Those without any bytes expire after an hour.',
  ', and x7 are arriving',
  '; this file has x7',
  'storage: x7 of x7 are usedx7x7. Delete assets, or ask the operator of this service for more.',
  'The connection to x7 was lostx7. Check the status of the service and of the network.',
  'the stream x7 x7 now: a test could interrupt it. Test again when the stream has ended',
  'x7 limit x7',
  ': uploads, imports and recordings are refused',
  ': playback is stopped until next month',
  'x7 of x7 are usedx7',
  'the range holds x7 events, and x7',
  'webhook delivery failed',
  ', and redirects are not followed',
  'x7. Set playbackPolicy to null first',
  'x7 to the folder of a speech recognition model',
  'MPEG-4 Part 2',
  'Motion JPEG',
  'the x7 lasts x7 hours; at most 12 are accepted',
  'x7a clip lasts at most x7',
  'Timestamps jumped x7 within a minute: viewers may notice it; restart the encoder, and give looped files new timestamps',
  'x7 rejected the streamx7. Copy the stream key again, and check that no other encoder uses it.',
  'The URL can’t be usedx7. Replace it.',
  // Logged only.
  'it took too long for the length of the media',
  'it stopped making progress',
  'not recognised',
  'x7 codec is x7; x7 is accepted',
  'x7 configuration is unusable: x7',
  'recording finished',
  'recording interrupted; another worker will finish it',
  'recording not finished',
  'unreadable parts of a recording left out',
  // Message of a library.
  'Invalid EOF state',
  // The client has disconnected, so this message is not read.
  'The client has left.',
]);

function clipRejection(request: { readonly startTime: number; readonly endTime?: number }): string {
  const range = resolveClipRange(request, { startMs: 0, endMs: 10 ** 9, live: false });
  return isFieldIssue(range) ? issueMessage(range) : '';
}

test.each([
  [
    'the stream "Town hall" is sending to this target now: a test could interrupt it. Test again when the stream has ended',
    'target_sending',
  ],
  ['1.5 GB of 2 GB are used: uploads, imports and recordings are refused', 'quota_storage_reached'],
  ['1.5 GB of 2 GB are used: playback is stopped until next month', 'quota_viewers_reached'],
  ['1.5 GB of 2 GB are used', 'quota_used'],
  ...(
    [
      [{}, 'quota_storage'],
      [{ reserved: 1_000 }, 'quota_storage_arriving'],
      [{ requested: 500 }, 'quota_storage_file'],
      [{ reserved: 1_000, requested: 500 }, 'quota_storage_arriving_file'],
    ] as const
  ).map(([usage, code]): [string, string] => [
    quotaRejection('storageBytes', { limit: 2_000, used: 2_000, requested: 0, ...usage })?.message ?? '',
    code,
  ]),
  [
    'team Lake TV has reached the maximum number of pending tasks: 100 wait for a worker or for the rest of their file; the limit is 100. Try again when some have ended, or cancel them: they are on the Tasks page and in GET /api/task.',
    'too_many_tasks',
  ],
  [
    'team Lake TV has reached the maximum number of pending tasks for a CORS-enabled API key: 50 wait for a worker or for the rest of their file; the limit is 50. Try again when some have ended, or cancel them: they are on the Tasks page and in GET /api/task.',
    'too_many_tasks_of_browser_keys',
  ],
  [
    'uploads: 100 that were requested in the dashboard wait for their file; the limit is 100. Send the files or delete the assets: they are on the Assets page and in GET /api/asset with the phase "waiting". Those without any bytes expire after an hour.',
    'too_many_unsent_uploads',
  ],
  [
    'uploads: 100 that were requested with the API key "nightly import" wait for their file; the limit is 100. Send the files or delete the assets: they are on the Assets page and in GET /api/asset with the phase "waiting". Those without any bytes expire after an hour.',
    'too_many_unsent_uploads_of_key',
  ],
  ...[40, 720, 9_000].map((seconds): [string, string] => [lockOutMessage(seconds), 'too_many_logins']),
  [
    'to: the range holds 9000 events, and at most 5000 can be resent at once: choose a shorter range',
    'too_many_events_to_resend',
  ],
  ['the receiver answered 302, and redirects are not followed', 'receiver_redirects'],
  [
    'ipfs: anyone can read files on IPFS, but the playback policy of this asset limits who may watch. Set playbackPolicy to null first',
    'ipfs_limited',
  ],
  [
    'this server recognises no speech: its operator has to set STT_MODEL_DIR to the folder of a speech recognition model',
    'no_speech_model',
  ],
  [tooLongMessage('video', 50_000), 'video_too_long'],
  [clipRejection({ startTime: 0, endTime: 10 ** 9 }), 'clip_too_long'],
  [clipRejection({ startTime: 0 }), 'clip_end_required'],
  [
    'Timestamps jumped once within a minute: viewers may notice it; restart the encoder, and give looped files new timestamps',
    'timestamps_jumped_once',
  ],
  [
    'Timestamps jumped 4 times within a minute: viewers may notice it; restart the encoder, and give looped files new timestamps',
    'timestamps_jumped',
  ],
  ...[...targetTestOutcomes, ...pushOutcomes].flatMap((outcome): [string, string][] => [
    [formatTargetMessage({ outcome }, destination), expect.stringMatching(/^target_/) as string],
    [
      formatTargetMessage({ outcome, detail: 'bad key' }, destination),
      expect.stringMatching(/^target_/) as string,
    ],
  ]),
  ['video codec is HEVC; H.264 is accepted', 'video_codec'],
  ['audio codec is not recognised; AAC is accepted', 'audio_codec_not_recognised'],
  ['audio configuration is unusable: AudioSpecificConfig is too long', 'audio_configuration'],
])('the composed message %s has a code', (message, code) => expect(reasonOf(message)?.code).toEqual(code));

interface Finding {
  readonly location: string;
  readonly text: string;
}

/**
 * The texts of a literal, a template with placeholders for its values, or a constant of the same file; empty for other
 * expressions.
 */
function textOf(node: ts.Expression, file: ts.SourceFile): string[] {
  if (ts.isObjectLiteralExpression(node))
    return node.properties.flatMap((property) => messageTextOf(property, file));
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [[node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(placeholder)];
  if (ts.isConditionalExpression(node))
    return [...textOf(node.whenTrue, file), ...textOf(node.whenFalse, file)];
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression, file);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left = placeholder] = textOf(node.left, file);
    const [right = placeholder] = textOf(node.right, file);
    return [left + right];
  }
  if (ts.isIdentifier(node)) return constantsOf(file).get(node.text) ?? [];
  return [];
}

/** The texts of a `message` property; empty for other properties. */
function messageTextOf(property: ts.ObjectLiteralElementLike, file: ts.SourceFile): string[] {
  if (property.name?.getText(file) !== 'message') return [];
  if (ts.isShorthandPropertyAssignment(property)) return textOf(property.name, file);
  return ts.isPropertyAssignment(property) ? textOf(property.initializer, file) : [];
}

const constants = new Map<ts.SourceFile, Map<string, string[]>>();

function constantsOf(file: ts.SourceFile): Map<string, string[]> {
  const cachedConstants = constants.get(file);
  if (cachedConstants) return cachedConstants;
  const constantsByName = new Map<string, string[]>();
  constants.set(file, constantsByName);
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      constantsByName.set(
        node.name.text,
        ts.isIdentifier(node.initializer) ? [] : textOf(node.initializer, file),
      );
    ts.forEachChild(node, visit);
  };
  visit(file);
  return constantsByName;
}

/** Whether a text is a sentence instead of a code, path, key or SQL: a word in lower case, followed by another word. */
const isSentence = (text: string) =>
  /\p{Ll}{2,} [\p{L}\d"`]+ /u.test(`${text} `) && !/^\s|select |insert |update "/.test(text);

function sentencesIn(path: string): Finding[] {
  const file = ts.createSourceFile(
    path,
    readFileSync(join(root, path), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const fileFindings: Finding[] = [];
  const addFindings = (node: ts.Expression) => {
    for (const text of textOf(node, file)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      fileFindings.push({ location: `${path}:${line + 1}`, text });
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && errorClasses.includes(node.expression.getText(file))) {
      const argument =
        node.arguments?.[/^(AppError|EgressError)$/.test(node.expression.getText(file)) ? 1 : 0];
      if (argument) addFindings(argument);
    } else if (ts.isCallExpression(node) && node.expression.getText(file) === 'notFound') {
      if (node.arguments[0]) addFindings(node.arguments[0]);
    } else if (
      path.startsWith('lib/contract/') &&
      ts.isPropertyAssignment(node) &&
      node.name.getText(file) === 'error'
    )
      addFindings(node.initializer);
    else if (
      filesWithMessages.includes(path) &&
      (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))
    ) {
      if (!ts.isBinaryExpression(node.parent)) addFindings(node);
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return fileFindings.filter(
    ({ text }) => isSentence(text) && !programMessages.test(text) && !incompleteMessages.has(text),
  );
}

const files = ['lib', 'media-worker']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|\/testing\/|^lib\/(client|generated)\//.test(path));

const findings = files.flatMap(sentencesIn);

test('more than 250 messages are found', () => expect(findings.length).toBeGreaterThan(250));

test('every file with messages exists', () =>
  expect(filesWithMessages.filter((path) => !files.includes(path))).toEqual([]));

test('every error class with messages exists', () => {
  const code = files.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
  expect(errorClasses.filter((name) => !code.includes(`class ${name} `))).toEqual([]);
});

describe('every message has a code', () => {
  test.each(findings.map(({ location, text }) => [text, location] as const))('%s', (text, location) =>
    expect(reasonOf(text), location).not.toBeNull(),
  );
});

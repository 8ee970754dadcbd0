import type { Endpoint } from '@/lib/contract/define-endpoint';

export interface BadBody {
  readonly description: string;
  /** Body to send; a string is sent as is. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Allowed statuses of the response. Absent if the value may be valid for this field. */
  readonly statuses?: readonly number[];
}

type Kind = 'null' | 'number' | 'boolean' | 'text' | 'list' | 'object';

interface BadValue {
  readonly description: string;
  readonly value: unknown;
  readonly kind: Kind;
  /** Whether the value is wrong for every field, whatever its type. */
  readonly isAlwaysWrong?: true;
}

/** The worst values of each type. Most of them are invalid for every field. */
const badValues: readonly BadValue[] = [
  { description: 'null', value: null, kind: 'null' },
  { description: 'a number', value: 5, kind: 'number' },
  { description: 'a huge number', value: 1e308, kind: 'number', isAlwaysWrong: true },
  { description: 'a fraction', value: -0.5, kind: 'number', isAlwaysWrong: true },
  { description: 'true', value: true, kind: 'boolean' },
  { description: 'an empty text', value: '', kind: 'text' },
  { description: 'a huge text', value: 'x'.repeat(90_000), kind: 'text', isAlwaysWrong: true },
  { description: 'text of many scripts', value: 'Ω≈ç√∫ 你好 👩‍👩‍👧 \u202Eabc\uFEFF', kind: 'text' },
  { description: 'NUL', value: 'a\0b', kind: 'text', isAlwaysWrong: true },
  { description: 'half a surrogate pair', value: 'a\uD800b', kind: 'text', isAlwaysWrong: true },
  { description: 'an empty list', value: [], kind: 'list' },
  { description: 'a list of null', value: [null], kind: 'list', isAlwaysWrong: true },
  { description: 'a list of lists', value: [[[]]], kind: 'list', isAlwaysWrong: true },
  {
    description: 'many entries',
    value: Array.from({ length: 5_000 }, () => 'x'),
    kind: 'list',
    isAlwaysWrong: true,
  },
  { description: 'an empty object', value: {}, kind: 'object' },
  {
    description: 'an object with inherited names',
    value: { constructor: { prototype: { admin: true } }, toString: 1 },
    kind: 'object',
    isAlwaysWrong: true,
  },
];

export interface BadField extends BadBody {
  /** Path of the field, such as `playbackPolicy.type`. */
  readonly field: string;
  readonly value: string;
  /** Whether the value has another type than the example, or is wrong for every field. */
  readonly isWrong: boolean;
}

/** Bodies with one wrong field each: every field of the example with every value. */
export function badFields(endpoint: Endpoint, body: Record<string, unknown>): BadField[] {
  const paths = [...Object.keys(endpoint.body?.shape ?? {}).map((name) => [name]), ...pathsIn(body)];
  const unique = new Map(paths.map((path) => [path.join('.'), path]));
  return [...unique].flatMap(([field, path]) => {
    const example = valueAt(body, path);
    const isWrongFor = ({ kind, isAlwaysWrong: always }: BadValue) =>
      always === true || (example !== undefined && kindOf(example) !== kind);
    return badValues.map((badValue) => ({
      field,
      value: badValue.description,
      description: `${field}: ${badValue.description}`,
      isWrong: isWrongFor(badValue),
      body: withValue(body, path, badValue.value),
    }));
  });
}

/** One body for each bad value, in a field that rejects it. All combinations of fields and values are tested without HTTP. */
export function oneBodyPerBadValue(endpoint: Endpoint, body: Record<string, unknown>): BadBody[] {
  const wrongFields = badFields(endpoint, body).filter(
    ({ field, value, isWrong }) => isWrong && !isAccepted(endpoint.id, field, value),
  );
  const statuses = endpoint.invalidBody === 'bad_request' ? [400] : [422];
  return badValues.flatMap(({ description }, index) => {
    const candidates = wrongFields.filter(({ value }) => value === description);
    const candidate = candidates[index % candidates.length];
    return candidate ? [{ description: candidate.description, body: candidate.body, statuses }] : [];
  });
}

/** Wrong values that a field accepts nevertheless, with the reason. The names are regular expressions. */
const exceptions: readonly (readonly [endpoint: RegExp, field: RegExp, value: RegExp, why: string])[] = [
  [/./, /^(password|currentPassword|code|token)$/, /^(NUL|half a)/, 'compared, never stored'],
  [/^createPlaybackReport$/, /^lines$/, /^(NUL|half a)/, 'parsed, never stored'],
  [/^deleteAccount$/, /^email$/, /^(NUL|half a)/, 'compared, never stored'],
  [/^createStream$/, /^profiles$/, /^null$/, 'the same as none'],
  [/^updateBrand$/, /^(name|accent|link)$/, /^null$/, 'removes it'],
  [/^updateTeamQuotas$/, /^liveStreams$/, /^null$/, 'no limit'],
  [/^createInvitation$/, /^email$/, /^null$/, 'for anyone with the link'],
  [/^updateAsset$/, /^posterTime$/, /^a huge number$/, 'compared with the length of the asset'],
  [/^updateAsset$/, /^chaptersFile$/, /^a huge text$/, 'a file'],
  [/^addTrack$/, /^body$/, /^a huge text$/, 'a file'],
  [/^(requestUpload|importAsset.*)$/, /^targetSegmentSizeSecs$/, /^a huge number$/, 'ignored'],
  [/^dismissProblem$/, /^at$/, /^null$/, 'a problem of the current video'],
  [/^transcodeAsset$/, /^assetId$/, /./, 'the path names the asset'],
  [/^addPasskey$/, /^response\.clientExtensionResults$/, /inherited/, 'browsers choose its names'],
];

export const isAccepted = (id: string, field: string, value: string): boolean =>
  exceptions.some(
    ([endpoint, name, description]) => endpoint.test(id) && name.test(field) && description.test(value),
  );

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  return typeof value as 'number' | 'boolean' | 'object';
}

const valueAt = (target: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], target);

/** Bodies that are wrong as a whole. Only the last two may be valid for an endpoint without required fields. */
export function badBodies(endpoint: Endpoint, body: Record<string, unknown>): BadBody[] {
  const text = JSON.stringify(body);
  const [firstField = 'name'] = Object.keys(body);
  const fieldsText = text.slice(1);
  const invalidStatuses = endpoint.invalidBody === 'bad_request' ? [400] : [422];
  const wholeBody = (description: string, bodyText: string, statuses: readonly number[]): BadBody => ({
    description,
    body: bodyText,
    statuses,
  });
  const bodyOfType = (type: string, moreHeaders: Record<string, string> = {}): BadBody => ({
    description: `type ${type} ${JSON.stringify(moreHeaders)}`,
    body: text,
    headers: { 'content-type': type, ...moreHeaders },
    statuses: [415],
  });
  return [
    wholeBody('broken JSON', text.slice(0, -1), [400]),
    wholeBody('two values', `${text}${text}`, [400]),
    wholeBody('a NUL character', '\0', [400]),
    wholeBody('NaN', `{"${firstField}":NaN}`, [400]),
    ...['null', '5', 'true', '"text"', '[]', `[${text}]`].map((bodyText) =>
      wholeBody(bodyText.slice(0, 20), bodyText, invalidStatuses),
    ),
    wholeBody('an unknown field', `{"unknown":1,${fieldsText}`, invalidStatuses),
    wholeBody('a field with a NUL', `{"a\\u0000b":1,${fieldsText}`, invalidStatuses),
    wholeBody('a field with half a surrogate pair', `{"\\ud800":1,${fieldsText}`, invalidStatuses),
    wholeBody('an empty field name', `{"":1,${fieldsText}`, invalidStatuses),
    wholeBody('__proto__', `{"__proto__":{"admin":true},${fieldsText}`, [422]),
    wholeBody('__proto__ inside', `{"${firstField}":{"__proto__":null}}`, [422]),
    wholeBody('constructor', `{"constructor":{"prototype":{"admin":true}},${fieldsText}`, invalidStatuses),
    wholeBody('a field twice', `{"${firstField}":null,${fieldsText}`, [400]),
    wholeBody(
      'a field twice, spelled differently',
      `{"\\u00${firstField.charCodeAt(0).toString(16)}${firstField.slice(1)}":null,${fieldsText}`,
      [400],
    ),
    wholeBody('50,000 levels', `{"${firstField}":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, [400]),
    wholeBody('16,000 open objects and lists', '{"a":['.repeat(8_000), [400]),
    wholeBody('1 MB', `{"${firstField}":"${'x'.repeat(1_000_000)}"}`, [413]),
    wholeBody('1 MB of white space', `${' '.repeat(1_000_000)}${text}`, [413]),
    bodyOfType('text/plain'),
    bodyOfType('application/x-www-form-urlencoded'),
    bodyOfType('multipart/form-data; boundary=x'),
    bodyOfType('application/json', { 'content-encoding': 'gzip' }),
    { description: 'nothing', body: '' },
    { description: 'an empty object', body: '{}' },
  ];
}

/** The paths of all values inside `value`, at any depth. */
function pathsIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    [...path, name],
    ...pathsIn(inner, [...path, name]),
  ]);
}

function withValue(target: unknown, [name, ...pathNames]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(target)) {
    return target.map((element: unknown, index) =>
      String(index) === name ? withValue(element, pathNames, value) : element,
    );
  }
  const object = target as Record<string, unknown>;
  return { ...object, [name]: withValue(object[name], pathNames, value) };
}

import type { Endpoint } from '@/lib/contract/define-endpoint';

export interface BadBody {
  readonly what: string;
  /** A string goes as it is. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses it must be answered with; left out where the value may be right for this field. */
  readonly statuses?: readonly number[];
}

/** A value of each kind, and of each kind the worst. One of them may be right for a field, most are not. */
const values: readonly (readonly [what: string, value: unknown])[] = [
  ['null', null],
  ['a number', 5],
  ['a huge number', 1e308],
  ['a fraction', -0.5],
  ['true', true],
  ['an empty text', ''],
  ['a huge text', 'x'.repeat(90_000)],
  ['text of many scripts', 'Ω≈ç√∫ 你好 👩‍👩‍👧 \u202Eabc\uFEFF'],
  ['NUL', 'a\0b'],
  ['half a surrogate pair', 'a\uD800b'],
  ['an empty list', []],
  ['a list of null', [null]],
  ['a list of lists', [[[]]]],
  ['many entries', Array.from({ length: 5_000 }, () => 'x')],
  ['an empty object', {}],
  ['an object with inherited names', { constructor: { prototype: { admin: true } }, toString: 1 }],
];

/** The body of the example with one thing wrong each time. */
export function badFields(endpoint: Endpoint, body: Record<string, unknown>): BadBody[] {
  const paths = [...Object.keys(endpoint.body?.shape ?? {}).map((name) => [name]), ...pathsIn(body)];
  const unique = new Map(paths.map((path) => [path.join('.'), path]));
  return [...unique].flatMap(([name, path]) => [
    ...values.map(([what, value]) => ({ what: `${name}: ${what}`, body: withValue(body, path, value) })),
    { what: `${name}: missing`, body: withValue(body, path, undefined) },
  ]);
}

/** Bodies that no endpoint may take. */
export function badWholes(endpoint: Endpoint, body: Record<string, unknown>): BadBody[] {
  const text = JSON.stringify(body);
  const [first = 'name'] = Object.keys(body);
  const inside = text.slice(1);
  const invalid = endpoint.invalidBody === 'bad_request' ? [400] : [422];
  const whole = (what: string, given: string, statuses: readonly number[]): BadBody => ({
    what,
    body: given,
    statuses,
  });
  const typed = (type: string, more: Record<string, string> = {}): BadBody => ({
    what: `type ${type} ${JSON.stringify(more)}`,
    body: text,
    headers: { 'content-type': type, ...more },
    statuses: [415],
  });
  return [
    whole('broken JSON', text.slice(0, -1), [400]),
    whole('two values', `${text}${text}`, [400]),
    whole('a NUL character', '\0', [400]),
    whole('NaN', `{"${first}":NaN}`, [400]),
    ...['null', '5', 'true', '"text"', '[]', `[${text}]`].map((given) =>
      whole(given.slice(0, 20), given, invalid),
    ),
    whole('a field nobody knows', `{"nobody":1,${inside}`, invalid),
    whole('a field with a NUL', `{"a\\u0000b":1,${inside}`, invalid),
    whole('a field with half a surrogate pair', `{"\\ud800":1,${inside}`, invalid),
    whole('an empty field name', `{"":1,${inside}`, invalid),
    whole('__proto__', `{"__proto__":{"admin":true},${inside}`, [422]),
    whole('__proto__ inside', `{"${first}":{"__proto__":null}}`, [422]),
    whole('constructor', `{"constructor":{"prototype":{"admin":true}},${inside}`, invalid),
    whole('a field twice', `{"${first}":null,${inside}`, [400]),
    whole(
      'a field twice, spelled differently',
      `{"\\u00${first.charCodeAt(0).toString(16)}${first.slice(1)}":null,${inside}`,
      [400],
    ),
    whole('50,000 levels', `{"${first}":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, [400]),
    whole('50,000 open brackets', '{"a":['.repeat(8_000), [400]),
    whole('1 MB', `{"${first}":"${'x'.repeat(1_000_000)}"}`, [413]),
    whole('1 MB of white space', `${' '.repeat(1_000_000)}${text}`, [413]),
    typed('text/plain'),
    typed('application/x-www-form-urlencoded'),
    typed('multipart/form-data; boundary=x'),
    typed('application/json', { 'content-encoding': 'gzip' }),
    { what: 'nothing', body: '' },
    { what: 'an empty object', body: '{}' },
  ];
}

/** Every place in the example, at any depth. */
function pathsIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    [...path, name],
    ...pathsIn(inner, [...path, name]),
  ]);
}

function withValue(target: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(target)) {
    return target.map((inner: unknown, index) =>
      String(index) === name ? withValue(inner, rest, value) : inner,
    );
  }
  const object = target as Record<string, unknown>;
  return { ...object, [name]: withValue(object[name], rest, value) };
}

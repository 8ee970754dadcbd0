import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { cleanRouterHeaders } from './router-headers';

/** The function of Next that responds with 500 when parsing throws. */
const next = createRequire(import.meta.url)(
  'next/dist/server/app-render/parse-and-validate-flight-router-state.js',
) as { parseAndValidateFlightRouterState(header: string): unknown };

const encodeTree = (tree: unknown) => encodeURIComponent(JSON.stringify(tree));
const nestedTree = (depth: number): unknown =>
  depth === 0 ? ['', {}] : ['', { children: nestedTree(depth - 1) }];
const page = [
  '',
  { children: ['streams', { children: [['id', '9d2f', 'd', null], { children: ['__PAGE__', {}] }] }] },
  null,
  null,
  16,
];

describe('the state tree of a navigation', () => {
  test.each([
    ['a page', encodeTree(page)],
    ['one that is fetched again', encodeTree(['', {}, ['/streams', '?page=2'], 'refetch'])],
    ['a root', encodeTree(['', {}])],
    ['30 levels', encodeTree(nestedTree(30))],
  ])('is kept if Next accepts it: %s', (_name, header) => {
    const headers = { rsc: '1', 'next-router-state-tree': header };
    expect(cleanRouterHeaders(headers)).toBeNull();
    expect(headers['next-router-state-tree']).toBe(header);
    expect(() => next.parseAndValidateFlightRouterState(header)).not.toThrow();
  });

  test.each([
    ['no JSON', '%7B'],
    ['no UTF-8', '%ff'],
    ['a stray %', '["",{}]%'],
    ['empty', ''],
    ['null', 'null'],
    ['an object', '{}'],
    ['a number', '1'],
    ['one that is too short', encodeTree([''])],
    ['one that is too long', encodeTree(['', {}, null, null, 1, 'x', 1])],
    ['a segment of another kind', encodeTree([1, {}])],
    ['a parameter of an unknown type', encodeTree([['id', 'x', 'zz', null], {}])],
    ['a parameter without its type', encodeTree([['id', 'x'], {}])],
    ['a broken slot', encodeTree(['', { children: 'x' }])],
    ['an unknown marker', encodeTree(['', {}, null, 'everything'])],
    ['a URL that is a number', encodeTree(['', {}, 7])],
    ['a URL of one part', encodeTree(['', {}, ['/']])],
    ['hints that are a text', encodeTree(['', {}, null, null, 'x'])],
    ['two headers', `${encodeTree(page)}, ${encodeTree(page)}`],
    ['what Next finds too large', encodeTree(['x'.repeat(40_001), {}])],
  ])('is rejected if Next rejects it: %s', (_name, header) => {
    const headers = { rsc: '1', 'next-router-state-tree': header };
    expect(cleanRouterHeaders(headers)).toMatch(/^Next-Router-State-Tree: is malformed/);
    if (header !== '') expect(() => next.parseAndValidateFlightRouterState(header)).toThrow();
  });

  test('is rejected if its slots are a list', () => {
    expect(cleanRouterHeaders({ rsc: '1', 'next-router-state-tree': encodeTree(['', []]) })).not.toBeNull();
  });

  test('is rejected if it has thousands of levels', () => {
    const text = `${'["",{"a":'.repeat(3_000)}["",{}]${'}]'.repeat(3_000)}`;
    expect(cleanRouterHeaders({ rsc: '1', 'next-router-state-tree': text })).not.toBeNull();
  });

  test('is ignored without a navigation', () => {
    const headers = { accept: 'text/html', 'next-router-state-tree': '%' };
    expect(cleanRouterHeaders(headers)).toBeNull();
    expect(headers).toEqual({ accept: 'text/html' });
  });
});

test.each([
  ['rsc', ['1'], ['0', 'true', '', '1, 1', '<x>']],
  ['next-router-prefetch', ['1', '2', '3'], ['0', '4', 'x', '1, 1']],
  ['next-router-segment-prefetch', ['/_tree', '/streams/$d$id'], ['x', '/a b', '/\u{e4}', '../x']],
  ['next-url', ['/streams?x=1'], ['http://x', '//\u{0}', '%']],
] as const)('%s is kept with the values %j and removed with others', (name, validValue, invalidValue) => {
  for (const value of validValue) {
    const headers = { rsc: '1', [name]: value };
    cleanRouterHeaders(headers);
    expect(headers[name]).toBe(value);
  }
  for (const value of invalidValue) {
    const headers: Record<string, string> = { [name]: value };
    expect(cleanRouterHeaders(headers)).toBeNull();
    expect(headers).toEqual({});
  }
});

test('internal headers of Next, its Server Actions and its development server are removed', () => {
  const headers = {
    'next-action': 'x',
    'next-hmr-refresh': '1',
    'x-nextjs-data': '1',
    'x-middleware-prefetch': '1',
    'x-invoke-path': '/admin',
    'x-now-route-matches': '1=x',
    'x-matched-path': '/admin',
    'x-request-id': 'kept',
  };
  expect(cleanRouterHeaders(headers)).toBeNull();
  expect(headers).toEqual({ 'x-request-id': 'kept' });
});

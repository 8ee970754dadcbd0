import { describe, expect, test } from 'vitest';
import { studioPathOf, withStudioPolicies, toStudioTask, apiUrlOf } from './studio-dialect';

describe('withStudioPolicies', () => {
  const passwordPolicy = { type: 'password', allowedOrigins: ['https://a.example'] };
  const jwtPolicy = { ...passwordPolicy, type: 'jwt' };
  test.each<[unknown, unknown]>([
    [
      { id: 's', playbackPolicy: passwordPolicy },
      { id: 's', playbackPolicy: jwtPolicy },
    ],
    [
      [{ playbackPolicy: passwordPolicy }, { id: 's' }],
      [{ playbackPolicy: jwtPolicy }, { id: 's' }],
    ],
    [
      { asset: { playbackPolicy: passwordPolicy }, task: { id: 't' } },
      { asset: { playbackPolicy: jwtPolicy }, task: { id: 't' } },
    ],
    [
      { type: 'live', meta: { playbackPolicy: passwordPolicy, source: [] } },
      { type: 'live', meta: { playbackPolicy: jwtPolicy, source: [] } },
    ],
    ...(['public', 'jwt', 'webhook'] as const).map((type): [unknown, unknown] => [
      { playbackPolicy: { type } },
      { playbackPolicy: { type } },
    ]),
    [null, null],
    ['text', 'text'],
  ])('%j becomes %j', (body, expected) => {
    expect(withStudioPolicies(body)).toEqual(expected);
  });
});

describe('toStudioTask', () => {
  const common = { id: 't', createdAt: 1, inputAssetId: 'in', outputAssetId: 'out' };
  const assetSpec = { name: 'part-1.mp4', size: 5 };
  const importOutput = { videoFilePath: 'a', metadataFilePath: 'b', assetSpec };
  const profile = { name: '480p', width: 854, height: 480, bitrate: 1_000_000, fps: 30 };

  test.each([
    ['import', 'upload'],
    ['transcode', 'transcode-file'],
    ['export', 'export'],
  ])('the type %s becomes %s, and other fields are kept', (type, studioType) => {
    expect(toStudioTask({ ...common, type, params: {} })).toEqual({
      ...common,
      type: studioType,
      params: {},
    });
  });

  test.each<[string, object, object]>([
    ['a URL', { url: 'https://a.example/x.mp4' }, { type: 'url', url: 'https://a.example/x.mp4' }],
    ['an upload', { uploadedObjectKey: 'key' }, { type: 'directUpload' }],
    ['a recording', { recordedSessionId: 's' }, { type: 'recording', sessionId: 's' }],
  ])('an import of %s has the asset and its source', (_, params, source) => {
    const task = { ...common, type: 'import', params: { import: params }, output: { import: importOutput } };
    expect(toStudioTask(task)).toEqual({
      ...common,
      type: 'upload',
      params: { import: params, upload: params },
      output: {
        import: importOutput,
        upload: { ...importOutput, assetSpec: { ...assetSpec, id: 'out', source } },
      },
    });
  });

  test('an import without an output asset has no `upload` output', () => {
    const task = { type: 'import', params: { import: {} }, output: { import: importOutput } };
    expect(toStudioTask(task)).toMatchObject({ output: { import: importOutput } });
    expect(JSON.stringify(toStudioTask(task))).not.toContain('"id"');
  });

  test('a transcode has its profile as a list and keeps its output', () => {
    const output = { transcode: { asset: importOutput } };
    expect(
      toStudioTask({ ...common, type: 'transcode', params: { transcode: { profile } }, output }),
    ).toEqual({
      ...common,
      type: 'transcode-file',
      params: { transcode: { profile }, 'transcode-file': { profiles: [profile] } },
      output,
    });
  });
});

describe('apiUrlOf', () => {
  test.each<[string, string | null]>([
    ['/api/studio/stream', '/api/stream'],
    ['/api/studio/stream/a%20b/sessions?limit=2&x=/', '/api/stream/a%20b/sessions?limit=2&x=/'],
    ['/api/studio/studio/stream', '/api/studio/stream'],
    ['/api/stream', null],
    ['/api/studio', null],
    ['/api/studiox/stream', null],
    ['/watch/api/studio/stream', null],
    // Sign-in is no endpoint of the API.
    ['/api/studio/auth/session', null],
    ['/api/studio/%61uth/session', null],
    // Next redirects these paths first.
    ['/api/studio//stream', null],
    ['/api/studio/stream/?x', null],
    ['/api/studio/stream\\x', null],
  ])('the URL %s becomes %s', (url, expected) => {
    expect(apiUrlOf(url)).toBe(expected);
    if (expected !== null) expect(studioPathOf(expected)).toBe(url);
  });
});

import { describe, expect, test } from 'vitest';
import { matchSegments, studioPolicies, studioTask } from './studio-dialect';

describe('studioPolicies', () => {
  const locked = { type: 'password', allowedOrigins: ['https://a.example'] };
  const known = { ...locked, type: 'jwt' };
  test.each<[unknown, unknown]>([
    [
      { id: 's', playbackPolicy: locked },
      { id: 's', playbackPolicy: known },
    ],
    [
      [{ playbackPolicy: locked }, { id: 's' }],
      [{ playbackPolicy: known }, { id: 's' }],
    ],
    [
      { asset: { playbackPolicy: locked }, task: { id: 't' } },
      { asset: { playbackPolicy: known }, task: { id: 't' } },
    ],
    [
      { type: 'live', meta: { playbackPolicy: locked, source: [] } },
      { type: 'live', meta: { playbackPolicy: known, source: [] } },
    ],
    ...(['public', 'jwt', 'webhook'] as const).map((type): [unknown, unknown] => [
      { playbackPolicy: { type } },
      { playbackPolicy: { type } },
    ]),
    [null, null],
    ['text', 'text'],
  ])('%j becomes %j', (body, expected) => {
    expect(studioPolicies(body)).toEqual(expected);
  });
});

describe('studioTask', () => {
  const common = { id: 't', createdAt: 1, inputAssetId: 'in', outputAssetId: 'out' };
  const assetSpec = { name: 'part-1.mp4', size: 5 };
  const imported = { videoFilePath: 'a', metadataFilePath: 'b', assetSpec };
  const profile = { name: '480p', width: 854, height: 480, bitrate: 1_000_000, fps: 30 };

  test.each([
    ['import', 'upload'],
    ['transcode', 'transcode-file'],
    ['export', 'export'],
  ])('%s is called %s; what both have in common stays', (type, renamed) => {
    expect(studioTask({ ...common, type, params: {} })).toEqual({ ...common, type: renamed, params: {} });
  });

  test.each<[string, object, object]>([
    ['a URL', { url: 'https://a.example/x.mp4' }, { type: 'url', url: 'https://a.example/x.mp4' }],
    ['an upload', { uploadedObjectKey: 'key' }, { type: 'directUpload' }],
    ['a recording', { recordedSessionId: 's' }, { type: 'recording', sessionId: 's' }],
  ])('an import of %s names the asset and its source', (_, params, source) => {
    const task = { ...common, type: 'import', params: { import: params }, output: { import: imported } };
    expect(studioTask(task)).toEqual({
      ...common,
      type: 'upload',
      params: { import: params, upload: params },
      output: {
        import: imported,
        upload: { ...imported, assetSpec: { ...assetSpec, id: 'out', source } },
      },
    });
  });

  test('without an asset there is no output of an upload', () => {
    const task = { type: 'import', params: { import: {} }, output: { import: imported } };
    expect(studioTask(task)).toMatchObject({ output: { import: imported } });
    expect(JSON.stringify(studioTask(task))).not.toContain('"id"');
  });

  test('a transcode has its rendition as a list; its output stays', () => {
    const output = { transcode: { asset: imported } };
    expect(studioTask({ ...common, type: 'transcode', params: { transcode: { profile } }, output })).toEqual({
      ...common,
      type: 'transcode-file',
      params: { transcode: { profile }, 'transcode-file': { profiles: [profile] } },
      output,
    });
  });
});

describe('matchSegments', () => {
  test.each<[string[], string[], Record<string, string> | null]>([
    [['stream'], ['stream'], {}],
    [['stream', '{id}'], ['stream', 'a'], { id: 'a' }],
    [['stream', '{id}', 'multistream', '{t}'], ['stream', 'a', 'multistream', 'b'], { id: 'a', t: 'b' }],
    [['stream'], ['stream', 'a'], null],
    [['stream', '{id}'], ['stream'], null],
    [['stream', '{id}'], ['session', 'a'], null],
    [['stream', '{id}', 'sessions'], ['stream', 'a', 'record'], null],
    [['stream'], [], null],
  ])('%j and %j: %j', (pattern, segments, expected) => {
    expect(matchSegments(pattern, segments)).toEqual(expected);
  });
});

/** The fields of a task that differ between the two APIs. */
interface Task {
  readonly type: string;
  readonly outputAssetId?: string;
  readonly params: {
    readonly import?: ImportParams;
    readonly transcode?: { readonly profile: object };
  };
  readonly output?: { readonly import?: { readonly assetSpec: object }; readonly transcode?: object };
}

interface ImportParams {
  readonly url?: string;
  readonly recordedSessionId?: string;
}

const types: Readonly<Record<string, string>> = { import: 'upload', transcode: 'transcode-file' };

/**
 * A task as Studio API clients expect it: they throw on other types and read an import's output as a whole asset. Our
 * own fields are kept.
 */
export function studioTask(task: Task): object {
  const { type, params, output } = task;
  return {
    ...task,
    type: types[type] ?? type,
    params: {
      ...params,
      ...(params.import && { upload: params.import }),
      ...(params.transcode && { 'transcode-file': { profiles: [params.transcode.profile] } }),
    },
    ...(output && { output: { ...output, ...uploadOutput(task) } }),
  };
}

function uploadOutput({ outputAssetId, params, output }: Task): object {
  if (!output?.import || outputAssetId === undefined) return {};
  const assetSpec = { ...output.import.assetSpec, id: outputAssetId, source: sourceOf(params.import ?? {}) };
  return { upload: { ...output.import, assetSpec } };
}

/** The same `source` as in the asset. */
function sourceOf({ url, recordedSessionId }: ImportParams): object {
  if (url !== undefined) return { type: 'url', url };
  if (recordedSessionId !== undefined) return { type: 'recording', sessionId: recordedSessionId };
  return { type: 'directUpload' };
}

/** The parts of a response in which a playback policy may be. */
interface WithPolicy {
  readonly playbackPolicy?: { readonly type: string };
  readonly asset?: WithPolicy;
  readonly meta?: WithPolicy;
}

/**
 * Playback policies in a response as Studio API clients expect them: they throw on the type `password`. To them it is
 * `jwt`, because viewers need a token, which the right password gets them. A client that sends this back closes the way
 * by password, and opens none.
 * @param body one object or a list; its policy is its own, of its `asset` or in its `meta`
 */
export function studioPolicies(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(studioPolicies);
  if (typeof body !== 'object' || body === null) return body;
  const { playbackPolicy, asset, meta } = body as WithPolicy;
  return {
    ...body,
    ...(playbackPolicy?.type === 'password' && { playbackPolicy: { ...playbackPolicy, type: 'jwt' } }),
    ...(asset && { asset: studioPolicies(asset) }),
    ...(meta && { meta: studioPolicies(meta) }),
  };
}

/**
 * The parameters of a path, or null when it is another one.
 * @param pattern segments, a parameter in braces: `['stream', '{id}']`
 */
export function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | null {
  if (pattern.length !== segments.length) return null;
  const params: [string, string][] = [];
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (expected.startsWith('{')) params.push([expected.slice(1, -1), segment]);
    else if (expected !== segment) return null;
  }
  return Object.fromEntries(params);
}

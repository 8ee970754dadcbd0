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
 * A task for Studio API clients: they throw on other types and read an import's output as a whole asset. Fields that only
 * this service has are kept.
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

/** The `source` field of the asset. */
function sourceOf({ url, recordedSessionId }: ImportParams): object {
  if (url !== undefined) return { type: 'url', url };
  if (recordedSessionId !== undefined) return { type: 'recording', sessionId: recordedSessionId };
  return { type: 'directUpload' };
}

/** The parts of a response that may contain a playback policy. */
interface WithPolicy {
  readonly playbackPolicy?: { readonly type: string };
  readonly asset?: WithPolicy;
  readonly meta?: WithPolicy;
}

/**
 * Playback policies of a response for Studio API clients, which throw on the type `password`. They get `jwt` instead,
 * because viewers need a token, which the right password gets them. A client that sends this policy back disables the
 * password, and opens nothing.
 * @param body one object or a list; the policy is in the object, in its `asset` or in its `meta`
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

const mount = '/api/studio';

/** The header with which the request filter marks requests to `/api/studio`; clients cannot send it. */
export const dialectHeader = 'x-api-dialect';

/**
 * The URL of the same endpoint below `/api`; null for URLs outside `/api/studio`. Sign-in is no endpoint, and paths that
 * Next redirects to their canonical form (`//`, a trailing slash) keep their prefix.
 * @param url path and query, as in the request line
 */
export function urlBelowApi(url: string): string | null {
  const [path = ''] = url.split(/[?#]/, 1);
  const [, apiPath = ''] = /^\/api\/studio((?:\/[^/\\]+)+)$/.exec(path) ?? [];
  if (apiPath === '' || decodeURIComponent(apiPath).split('/')[1] === 'auth') return null;
  return `/api${url.slice(mount.length)}`;
}

/** The path for clients of the Studio API. @param path of the endpoint below `/api` */
export const studioPath = (path: string): string => `${mount}${path.slice('/api'.length)}`;

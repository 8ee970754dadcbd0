/** The fields of a task that differ between this API and the Livepeer Studio API, which clients can use at `/api/studio`. */
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

const studioTypes: Readonly<Record<string, string>> = { import: 'upload', transcode: 'transcode-file' };

/**
 * Converts a task for clients of the Studio API, which throw on unknown types and expect a whole asset as the output of an
 * import. Fields that only this service has are kept.
 */
export function toStudioTask(task: Task): object {
  const { type, params, output } = task;
  return {
    ...task,
    type: studioTypes[type] ?? type,
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

/** The parts of a response that can have a playback policy. */
interface WithPolicy {
  readonly playbackPolicy?: { readonly type: string };
  readonly asset?: WithPolicy;
  readonly meta?: WithPolicy;
}

/**
 * Converts the playback policies of a response for clients of the Studio API, which throw on the type `password`. The type
 * becomes `jwt`: viewers need a token, which they get for the password. A client that sends this policy back disables the
 * password, but does not make the object public.
 * @param body an object or a list of objects; the policy is in the object, in its `asset` or in its `meta`
 */
export function withStudioPolicies(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withStudioPolicies);
  if (typeof body !== 'object' || body === null) return body;
  const { playbackPolicy, asset, meta } = body as WithPolicy;
  return {
    ...body,
    ...(playbackPolicy?.type === 'password' && { playbackPolicy: { ...playbackPolicy, type: 'jwt' } }),
    ...(asset && { asset: withStudioPolicies(asset) }),
    ...(meta && { meta: withStudioPolicies(meta) }),
  };
}

const studioPrefix = '/api/studio';

/** The header with which the request filter marks requests to `/api/studio`; clients cannot send it. */
export const dialectHeader = 'x-api-dialect';

/**
 * The URL below `/api` of an endpoint below `/api/studio`; null for other URLs. URLs of sign-in are null as well, and so are
 * those that Next redirects to their canonical form (`//`, a trailing slash).
 * @param url path and query of the request
 */
export function apiUrlOf(url: string): string | null {
  const [path = ''] = url.split(/[?#]/, 1);
  const [, apiPath = ''] = /^\/api\/studio((?:\/[^/\\]+)+)$/.exec(path) ?? [];
  if (apiPath === '' || decodeURIComponent(apiPath).split('/')[1] === 'auth') return null;
  return `/api${url.slice(studioPrefix.length)}`;
}

/**
 * The path of an endpoint for clients of the Studio API.
 * @param path path of the endpoint below `/api`
 */
export const studioPathOf = (path: string): string => `${studioPrefix}${path.slice('/api'.length)}`;

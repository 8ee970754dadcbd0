import type { Endpoint } from '@/lib/contract/define-endpoint';
import type { Task } from '@/lib/contract/tasks/task';
import { matchSegments, studioPolicies, studioTask } from '@/lib/core/studio-dialect';
import { unknownPath, type Handler, type routes } from './routes';

/** What a file below app/api exports. */
export type RouteFile = ReturnType<typeof routes>;

type HttpMethod = keyof RouteFile;

/**
 * The second mount of the same handlers, for clients of the Studio API.
 * Everything up to the answer is as below /api; then names and statuses are those that these clients read.
 * @param files mounted under their own paths; the route file calling this has one parameter, `[...path]`
 */
export function studioRoutes(files: readonly RouteFile[]): RouteFile {
  const mounted = files
    .map((file) => ({ file, pattern: patternOf(file) }))
    .sort((a, b) => placeholders(a.pattern) - placeholders(b.pattern));
  const elsewhere = unknownPath();
  const find = (segments: readonly string[]) => {
    for (const { file, pattern } of mounted) {
      const params = matchSegments(pattern, segments);
      if (params) return { file, params };
    }
    return { file: elsewhere, params: {} };
  };
  const handler =
    (method: HttpMethod): Handler =>
    async (request, context) => {
      const { path } = await context.params;
      const { file, params } = find([path ?? []].flat());
      const answer = file[method];
      const response = await answer(request, { params: Promise.resolve(params) });
      return answer.declared ? inDialect(answer.declared, response) : response;
    };
  return {
    GET: handler('GET'),
    HEAD: handler('HEAD'),
    POST: handler('POST'),
    PUT: handler('PUT'),
    PATCH: handler('PATCH'),
    DELETE: handler('DELETE'),
    OPTIONS: handler('OPTIONS'),
  };
}

function patternOf(file: RouteFile): readonly string[] {
  const declared = Object.values(file).find((handler) => handler.declared)?.declared;
  if (!declared) throw new Error('A mounted file declares no endpoint');
  return declared.path.split('/').slice(2);
}

function placeholders(pattern: readonly string[]): number {
  return pattern.filter((segment) => segment.startsWith('{')).length;
}

const ok = new Set(['createWebhook', 'createSigningKey']);

/** Of endpoints whose answers have tasks or playback policies. */
const differing = new Set<Endpoint['tag']>(['Tasks', 'Assets', 'Streams', 'Playback']);

/** Refusals are the same on both mounts. */
async function inDialect(endpoint: Endpoint, response: Response): Promise<Response> {
  if (!response.ok) return response;
  const { headers } = response;
  // The client takes these objects only from a 200.
  if (ok.has(endpoint.id)) return new Response(response.body, { status: 200, headers });
  if (response.body === null || !differing.has(endpoint.tag) || endpoint.csv) return response;
  const body = studioPolicies(withStudioTasks(endpoint, await response.json()));
  return new Response(JSON.stringify(body), { status: response.status, headers });
}

/** Tasks are the whole body, a list of them, or beside the asset that they work on. */
function withStudioTasks({ tag }: Endpoint, body: unknown): unknown {
  if (tag === 'Tasks')
    return Array.isArray(body) ? (body as Task[]).map(studioTask) : studioTask(body as Task);
  if (tag !== 'Assets') return body;
  const { task } = body as { task?: Task };
  return task ? { ...(body as object), task: studioTask(task) } : body;
}

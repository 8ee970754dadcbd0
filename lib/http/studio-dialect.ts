import { z } from 'zod';
import type { Endpoint } from '@/lib/contract/define-endpoint';
import { task, type Task } from '@/lib/contract/tasks/task';
import { dialectHeader, studioPath, studioPolicies, studioTask } from '@/lib/core/studio-dialect';

/**
 * `/api/studio`: the same endpoints for clients of the Studio API. The request filter (web/request-filter.ts) marks their
 * requests; replies have the names and statuses that these clients expect. Errors are equal.
 */
export const isStudio = (request: Request): boolean => request.headers.get(dialectHeader) === 'studio';

/** Whether an endpoint exists below `/api/studio`: those for API keys and players do. */
export function inStudio({ auth, path, studio }: Endpoint): boolean {
  if (studio === false) return false;
  return auth === 'public' ? !path.startsWith('/api/dashboard/') : auth === 'key-or-session';
}

/** The URL that the client called. */
export function calledUrl(request: Request): URL {
  const url = new URL(request.url);
  if (isStudio(request)) url.pathname = studioPath(url.pathname);
  return url;
}

/** Status and schema of a successful reply to this request. */
export function replyOf(request: Request, endpoint: Endpoint): Pick<Endpoint, 'status' | 'response'> {
  return isStudio(request) && endpoint.studio ? { ...endpoint, ...endpoint.studio } : endpoint;
}

/** Converts a reply to the names of the Studio API. */
export function inDialect(schema: z.ZodType, body: unknown): unknown {
  return studioPolicies(withStudioTasks(schema, body));
}

/** A task is the whole body, an entry of a list, or a field next to its asset. */
function withStudioTasks(schema: z.ZodType, body: unknown): unknown {
  if (schema === task) return studioTask(body as Task);
  if (schema instanceof z.ZodArray && schema.element === task) return (body as Task[]).map(studioTask);
  if (schema instanceof z.ZodObject && schema.shape['task'] === task)
    return { ...(body as object), task: studioTask((body as { task: Task }).task) };
  return body;
}

import type { Context } from '@/lib/context';
import { openApiOf } from '@/lib/contract/openapi';
import { registry } from '@/lib/contract/registry';

let document: Record<string, unknown> | undefined;

/** The description of the whole API; made once. */
export function openApi({ settings }: Context): Promise<Record<string, unknown>> {
  document ??= { ...openApiOf(registry, settings.baseUrl) };
  return Promise.resolve(document);
}

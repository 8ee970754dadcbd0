import type { Context } from '@/lib/context';
import { openApiOf } from '@/lib/contract/openapi';
import { registry } from '@/lib/contract/registry';
import type { Ingest } from '@/lib/contract/service';

/** Where to publish and from where to play (api-contract §9). */
export function ingests({ settings }: Context): Promise<Ingest[]> {
  return Promise.resolve([
    { ingest: settings.rtmpUrl, playback: `${settings.cdnUrl}/hls`, base: settings.baseUrl },
  ]);
}

let document: Record<string, unknown> | undefined;

/** The description of the whole API; made once. */
export function openApi({ settings }: Context): Promise<Record<string, unknown>> {
  document ??= { ...openApiOf(registry, settings.baseUrl) };
  return Promise.resolve(document);
}

import type { Context } from '@/lib/context';
import type { Ingest } from '@/lib/contract/service';

/** The base URLs to publish to and play from. */
export function ingests({ settings }: Pick<Context, 'settings'>): Promise<Ingest[]> {
  return Promise.resolve([
    { ingest: settings.rtmpUrl, playback: `${settings.cdnUrl}/hls`, base: settings.baseUrl },
  ]);
}

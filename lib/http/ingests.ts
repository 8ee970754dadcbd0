import type { Context } from '@/lib/context';
import type { Ingest } from '@/lib/contract/service';

/** Where to publish and from where to play (api-contract §9). */
export function ingests({ settings }: Pick<Context, 'settings'>): Promise<Ingest[]> {
  return Promise.resolve([
    { ingest: settings.rtmpUrl, playback: `${settings.cdnUrl}/hls`, base: settings.baseUrl },
  ]);
}

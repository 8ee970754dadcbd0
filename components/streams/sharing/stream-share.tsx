import { useTranslations } from 'use-intl';
import type { Addresses } from '@/lib/client/queries/addresses';
import type { Stream } from '@/lib/contract/streams/stream';
import { readStreamCurl, readStreamNode } from './api-examples';
import { AsCodePanel } from './as-code-panel';
import { SharePanel } from './share-panel';

interface StreamShareProps {
  stream: Stream;
  addresses: Addresses;
}

/** Links for viewers and code for developers. */
export function StreamShare({ stream, addresses }: StreamShareProps) {
  const t = useTranslations('streams.streamShare');
  return (
    <div className="grid items-start gap-6 xl:grid-cols-2">
      <SharePanel
        baseUrl={addresses.baseUrl}
        playbackId={stream.playbackId}
        playbackUrl={addresses.playbackUrl(stream.playbackId)}
        title={stream.name}
        policy={stream.playbackPolicy}
      />
      <AsCodePanel
        subject={t('stream')}
        curl={readStreamCurl(addresses.baseUrl, stream.id)}
        node={readStreamNode(addresses.baseUrl, stream.id)}
        json={jsonOf(stream)}
      />
    </div>
  );
}

/** API response with a masked stream key. */
function jsonOf(stream: Stream): string {
  return JSON.stringify(stream, (name, value: unknown) => (name === 'streamKey' ? '••••' : value), 2);
}

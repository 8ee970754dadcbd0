import { useTranslations } from 'use-intl';
import type { PublicUrls } from '@/lib/client/queries/public-urls';
import type { Stream } from '@/lib/contract/streams/stream';
import { readStreamCurl, readStreamNode } from './api-examples';
import { AsCodePanel } from './as-code-panel';
import { SharePanel } from './share-panel';

interface StreamSharePanelsProps {
  stream: Stream;
  urls: PublicUrls;
}

/** Links for viewers and code for developers. */
export function StreamSharePanels({ stream, urls }: StreamSharePanelsProps) {
  const t = useTranslations('streams.streamShare');
  return (
    <div className="grid items-start gap-6 xl:grid-cols-2">
      <SharePanel
        baseUrl={urls.baseUrl}
        playbackId={stream.playbackId}
        playbackUrl={urls.playbackUrl(stream.playbackId)}
        title={stream.name}
        policy={stream.playbackPolicy}
      />
      <AsCodePanel
        subject={t('stream')}
        curl={readStreamCurl(urls.baseUrl, stream.id)}
        node={readStreamNode(urls.baseUrl, stream.id)}
        json={jsonOf(stream)}
      />
    </div>
  );
}

/** The stream object of the API as JSON, with a masked stream key, so that the page can be shown to others. */
function jsonOf(stream: Stream): string {
  return JSON.stringify(stream, (name, value: unknown) => (name === 'streamKey' ? '••••' : value), 2);
}

import Link from 'next/link';
import { CopyField } from '@/components/ui/copy/copy-field';
import { Notice } from '@/components/ui/notice';
import { Fact, FactId, Facts, Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { sizeInWords } from '@/components/ui/time-words';
import type { Asset } from '@/lib/contract/assets/asset';
import { assetSourceWord, bitrateInWords, clockOf, trackInWords } from './asset-words';

/** Where else the file is: on IPFS, once it was exported there. */
export function AssetCopies({ asset }: { asset: Asset }) {
  const { ipfs, status } = asset.storage ?? {};
  if (!ipfs?.cid && !status?.errorMessage) return null;
  return (
    <Panel title="On IPFS">
      <div className="grid gap-4">
        {status?.errorMessage !== undefined && <Notice>{status.errorMessage}</Notice>}
        {ipfs?.cid !== undefined && <CopyField label="Content identifier (CID)" value={ipfs.cid} />}
        {ipfs?.gatewayUrl !== undefined && <CopyField label="Gateway URL" value={ipfs.gatewayUrl} />}
        {ipfs?.nftMetadata?.url !== undefined && <CopyField label="Metadata" value={ipfs.nftMetadata.url} />}
      </div>
    </Panel>
  );
}

const linkLooks = 'text-accent-ink rounded-sm underline-offset-4 hover:underline';

/** What is known about an asset: of the file, and of where it came from. */
export function AssetFacts({ asset }: { asset: Asset }) {
  const { videoSpec, size, hash = [] } = asset;
  return (
    <Panel title="Details">
      <Facts>
        <Fact name="Asset ID">
          <FactId value={asset.id} label="asset ID" />
        </Fact>
        <Fact name="Playback ID">
          <FactId value={asset.playbackId} label="playback ID" />
        </Fact>
        <Fact name="Source">
          <Source asset={asset} />
        </Fact>
        <Fact name="Created">
          <RelativeTime at={asset.createdAt} />
        </Fact>
        {videoSpec && (
          <Fact name="Duration">
            {clockOf(videoSpec.duration)}
            <span className="text-ink-3"> · {videoSpec.format.toUpperCase()}</span>
          </Fact>
        )}
        {size !== undefined && (
          <Fact name="Size">
            {sizeInWords(size)}
            {videoSpec?.bitrate !== undefined && (
              <span className="text-ink-3"> · {bitrateInWords(videoSpec.bitrate)}</span>
            )}
          </Fact>
        )}
        {videoSpec?.tracks.map((track) => (
          <Fact key={track.type} name={track.type === 'video' ? 'Video' : 'Sound'}>
            {trackInWords(track)}
          </Fact>
        ))}
        {hash.map(({ algorithm, hash: digest }) => (
          <Fact key={algorithm} name={{ md5: 'MD5', sha256: 'SHA-256' }[algorithm] ?? algorithm}>
            <FactId value={digest} label={algorithm} />
          </Fact>
        ))}
        {asset.createdByTokenName !== undefined && (
          <Fact name="Made with key">{asset.createdByTokenName}</Fact>
        )}
      </Facts>
    </Panel>
  );
}

function Source({ asset }: { asset: Asset }) {
  const { source, sourceAssetId } = asset;
  const word = assetSourceWord(asset);
  if (sourceAssetId !== undefined) {
    return (
      <Link href={`/assets/${sourceAssetId}`} className={linkLooks}>
        {word} of another asset
      </Link>
    );
  }
  if (source.type === 'recording') {
    return (
      <Link href={`/sessions/${source.sessionId}`} className={linkLooks}>
        Recording of a session
      </Link>
    );
  }
  if (source.type === 'url') {
    return (
      <span title={source.url} className="block truncate">
        {word} from {URL.canParse(source.url) ? new URL(source.url).hostname : source.url}
      </span>
    );
  }
  return word;
}

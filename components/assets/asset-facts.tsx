import Link from 'next/link';
import { useLocale, useTranslations } from 'use-intl';
import { formatBitrate, formatSize } from '@/components/ui/figures';
import type { Translator } from '@/components/i18n/messages';
import { Button } from '@/components/ui/button';
import { CopyField } from '@/components/ui/copy/copy-field';
import { Notice } from '@/components/ui/notice';
import { Fact, FactId, FactList, Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Asset } from '@/lib/contract/assets/asset';
import { containerOfFormat } from '@/lib/core/media/container';
import { AudioLanguages } from './audio-languages';
import { assetSourceLabel, describeFile, describeTrack, formatVideoDuration } from './asset-text';
import { readUrl } from '@/lib/core/read-url';
import { useTranslateMessage } from '@/components/i18n/reasons';

/** Copies of the asset on IPFS. */
export function IpfsCopiesPanel({ asset }: { asset: Asset }) {
  const translateMessage = useTranslateMessage();
  const t = useTranslations('assets.assetFacts');
  const { ipfs, status } = asset.storage ?? {};
  if (!ipfs?.cid && !status?.errorMessage) return null;
  return (
    <Panel title={t('onIpfs')}>
      <div className="grid gap-4">
        {status?.errorMessage !== undefined && (
          <Notice>{translateMessage(status.errorMessage, status.errorReason)}</Notice>
        )}
        {ipfs?.cid !== undefined && <CopyField label={t('contentIdentifierCid')} value={ipfs.cid} />}
        {ipfs?.gatewayUrl !== undefined && <CopyField label={t('gatewayUrl')} value={ipfs.gatewayUrl} />}
        {ipfs?.nftMetadata?.url !== undefined && (
          <CopyField label={t('metadata')} value={ipfs.nftMetadata.url} />
        )}
      </div>
    </Panel>
  );
}

const linkClasses = 'text-accent-ink rounded-sm underline-offset-4 hover:underline';

interface AssetFactsProps {
  asset: Asset;
  /** Opens the choice of the poster; null if it can't be changed. */
  onPoster: (() => void) | null;
}

/** Short panel with ids, source and file of an asset. */
export function AssetFacts({ asset, onPoster }: AssetFactsProps) {
  const t = useTranslations('assets.assetFacts');
  const tAssetText = useTranslations('assets.assetText');
  const language = useLocale();
  const { videoSpec, size } = asset;
  return (
    <Panel dense title={t('details')}>
      <FactList>
        <Fact name={t('assetId')}>
          <FactId value={asset.id} label={t('assetIdNoun')} />
        </Fact>
        <Fact name={t('playbackId')}>
          <FactId value={asset.playbackId} label={t('playbackIdNoun')} />
        </Fact>
        <Fact name={t('created')}>
          <RelativeTime at={asset.createdAt} />
        </Fact>
        {asset.source.type !== 'directUpload' && (
          <Fact name={t('source')}>
            <AssetSource asset={asset} />
          </Fact>
        )}
        {videoSpec && (
          <Fact name={t('file')}>
            {[describeFile(tAssetText, videoSpec), size !== undefined && formatSize(size, language)]
              .filter(Boolean)
              .join(' · ')}
          </Fact>
        )}
        {videoSpec?.otherAudio && (
          <Fact name={t('languages')}>
            <AudioLanguages spec={videoSpec} />
          </Fact>
        )}
        {onPoster && (
          <Fact name={t('poster')}>
            <Button size="sm" variant="ghost" className="-mr-2" onClick={onPoster}>
              {posterLabel(t, asset)}
            </Button>
          </Fact>
        )}
      </FactList>
    </Panel>
  );
}

function posterLabel(t: Translator<'assets.assetFacts'>, { posterUrl, posterTime }: Asset): string {
  if (posterUrl !== undefined) return t('uploadedPoster');
  return posterTime === undefined
    ? t('automaticPoster')
    : t('posterAt', { time: formatVideoDuration(posterTime) });
}

/** Panel with all known facts about the file of an asset. */
export function FilePanel({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.assetFacts');
  const tAssetText = useTranslations('assets.assetText');
  const language = useLocale();
  const { videoSpec, size, hash = [] } = asset;
  return (
    <Panel title={t('file')}>
      <FactList>
        <Fact name={t('source')}>
          <AssetSource asset={asset} />
        </Fact>
        {videoSpec && (
          <Fact name={t('duration')}>
            {formatVideoDuration(videoSpec.duration)}
            <span className="text-ink-3"> · {containerOfFormat(videoSpec.format).label}</span>
          </Fact>
        )}
        {size !== undefined && (
          <Fact name={t('size')}>
            {formatSize(size, language)}
            {videoSpec?.bitrate !== undefined && (
              <span className="text-ink-3"> · {formatBitrate(videoSpec.bitrate, language)}</span>
            )}
          </Fact>
        )}
        {videoSpec?.tracks.map((track, index) => (
          <Fact key={index} name={t(`track.${track.type}`)}>
            {describeTrack(tAssetText, track, language)}
          </Fact>
        ))}
        {hash.map(({ algorithm, hash: digest }) => (
          <Fact key={algorithm} name={{ md5: 'MD5', sha256: 'SHA-256' }[algorithm] ?? algorithm}>
            <FactId value={digest} label={algorithm} />
          </Fact>
        ))}
        {asset.createdByTokenName !== undefined && (
          <Fact name={t('madeWithKey')}>{asset.createdByTokenName}</Fact>
        )}
      </FactList>
    </Panel>
  );
}

function AssetSource({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.assetFacts');
  const tAssetText = useTranslations('assets.assetText');
  const { source, sourceAssetId } = asset;
  if (sourceAssetId !== undefined) {
    return (
      <Link href={`/assets/${sourceAssetId}`} className={linkClasses}>
        {t('transcodeOfAnother')}
      </Link>
    );
  }
  if (source.type === 'recording') {
    return (
      <Link href={`/sessions/${source.sessionId}`} className={linkClasses}>
        {t('recordingOfASession')}
      </Link>
    );
  }
  if (source.type === 'url') {
    return (
      <span title={source.url} className="block truncate">
        {t('importFrom', { host: readUrl(source.url)?.hostname ?? source.url })}
      </span>
    );
  }
  return assetSourceLabel(tAssetText, asset);
}

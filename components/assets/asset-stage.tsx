import { Player } from '@/components/player/player';
import { asSentence } from '@/components/ui/form/server-sentences';
import { ProgressBar } from '@/components/ui/progress-bar';
import { QuietStage } from '@/components/ui/message-page';
import type { Asset } from '@/lib/contract/assets/asset';

const words: Record<
  Exclude<Asset['status']['phase'], 'ready' | 'failed'>,
  { title: string; text: string }
> = {
  waiting: { title: 'Waiting for the file', text: 'Playback will start automatically.' },
  uploading: { title: 'Uploading', text: 'Playback will start automatically.' },
  processing: { title: 'Processing', text: 'Playback will start automatically.' },
  deleting: { title: 'Deleted', text: 'You can restore it for seven days.' },
  deleted: { title: 'Deleted', text: 'You can restore it for seven days.' },
};

/** The picture of an asset, or in the same place what becomes of it. */
export function AssetStage({ asset }: { asset: Asset }) {
  const { phase, progress, errorMessage } = asset.status;
  if (phase === 'ready' && asset.playbackUrl !== undefined) {
    return (
      <Player
        src={asset.playbackUrl}
        title={asset.name}
        autoplay={false}
        muted={false}
        className="rounded-lg border"
      />
    );
  }
  const { title, text } =
    phase === 'failed'
      ? {
          title: 'Nothing to play',
          text: asSentence(errorMessage ?? 'Processing failed for an unknown reason'),
        }
      : phase === 'ready'
        ? words.processing
        : words[phase];
  return (
    <QuietStage title={title} text={text}>
      {phase === 'processing' && (
        <ProgressBar
          label={`Processing of ${asset.name}`}
          value={progress ?? null}
          className="mt-4 w-56 bg-white/15 [&>div]:bg-[#5cc8c3]"
        />
      )}
    </QuietStage>
  );
}

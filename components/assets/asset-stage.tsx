import { useTranslations } from 'use-intl';
import { ClippablePlayer } from '@/components/clips/clippable-player';
import { ProgressBar } from '@/components/ui/progress-bar';
import { StageMessage } from '@/components/ui/message-page';
import { useAssetPreviewUrl } from '@/lib/client/queries/asset-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import { taskProgressText } from '@/components/tasks/task-text';
import { useOutputTask } from '@/lib/client/queries/task-queries';
import { FailedStage } from './failed-stage';

const PROGRESS_REFRESH_MS = 2000;

interface AssetStageProps {
  asset: Asset;
  clipping: { readonly open: boolean; readonly onClose: () => void };
  /** @param video the element of the player; null after it was removed */
  onVideo: (video: HTMLVideoElement | null) => void;
}

/** The player of an asset, or its state if it cannot play. */
export function AssetStage({ asset, clipping, onVideo }: AssetStageProps) {
  const t = useTranslations('assets.assetStage');
  const src = useAssetPreviewUrl(asset);
  const { phase, progress } = asset.status;
  if (phase === 'ready' && asset.playbackUrl !== undefined) {
    return (
      <ClippablePlayer
        // A new key restarts the player after the file was replaced.
        key={asset.hash?.[0]?.hash}
        source={{ playbackId: asset.playbackId, times: 'offsets', name: asset.name }}
        clipping={clipping}
        onVideo={onVideo}
        src={src}
        title={asset.name}
        chapters={asset.chapters}
        autoplay={false}
        muted={false}
      />
    );
  }
  if (phase === 'failed') return <FailedStage asset={asset} />;
  const stageState = phase === 'ready' ? 'processing' : phase;
  return (
    <StageMessage title={t(`title.${stageState}`)} text={t(`text.${stageState}`)}>
      {phase === 'processing' && (
        <>
          <ProgressBar
            label={t('processingOfName', { name: asset.name })}
            value={progress ?? null}
            className="mt-4 w-56 bg-white/15 [&>div]:bg-[#5cc8c3]"
          />
          <TaskProgress assetId={asset.id} />
        </>
      )}
    </StageMessage>
  );
}

/** Progress and estimated time left of the task that produces the asset. */
function TaskProgress({ assetId }: { assetId: string }) {
  const t = useTranslations('tasks.taskText');
  const task = useOutputTask(assetId, PROGRESS_REFRESH_MS);
  return (
    <p className="min-h-6 text-sm text-[#b9c4c8] tabular-nums">{task ? taskProgressText(t, task) : null}</p>
  );
}

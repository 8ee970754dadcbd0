import { useTranslations } from 'use-intl';
import { useTranslateMessage } from '@/components/i18n/reasons';
import { useAssetTasks } from '@/components/tasks/asset-tasks';
import { useRetryOffer } from '@/components/tasks/retry-task';
import { adviceFor } from '@/components/tasks/task-text';
import { useTaskActions } from '@/components/tasks/use-task-actions';
import { IfPermitted } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { asSentence } from '@/components/ui/form/server-messages';
import { StageMessage } from '@/components/ui/message-page';
import type { Asset } from '@/lib/contract/assets/asset';

/** Why an asset cannot play, with advice. */
export function FailedStage({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.assetStage');
  const tTaskText = useTranslations('tasks.taskText');
  const translateMessage = useTranslateMessage();
  const offerOf = useRetryOffer();
  const { onRetry } = useTaskActions();
  const { errorMessage, errorReason } = asset.status;
  const task = useAssetTasks(asset.id).find(({ outputAssetId }) => outputAssetId === asset.id);
  const offer = task ? offerOf(task) : null;
  const reason =
    errorMessage === undefined ? t('text.failed') : asSentence(translateMessage(errorMessage, errorReason));
  const nextStep = offer === 'convert' ? t('convertNext') : adviceFor(tTaskText, errorMessage ?? '');
  return (
    <StageMessage title={t('title.failed')} text={reason}>
      {nextStep !== null && <p className="max-w-md text-balance wrap-anywhere text-[#b9c4c8]">{nextStep}</p>}
      {task && offer !== null && (
        <IfPermitted>
          <Button
            className="mt-4"
            onClick={() => (offer === 'convert' ? onRetry(task, true) : onRetry(task))}
          >
            {offer === 'convert' ? t('convertNow') : t('tryAgain')}
          </Button>
        </IfPermitted>
      )}
    </StageMessage>
  );
}

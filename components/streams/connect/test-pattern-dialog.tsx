'use client';

import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { RadioCards } from '@/components/ui/form/radio-cards';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { useTargets } from '@/lib/client/queries/target-queries';
import type { Stream } from '@/lib/contract/streams/stream';

interface TestPatternDialogProps {
  targets: Stream['multistream']['targets'];
  pending: boolean;
  onClose: () => void;
  /** @param preview whether only the team sees the test pattern */
  onSend: (preview: boolean) => void;
}

const MAX_NAMED_TARGETS = 5;

/** Asks who may see the test pattern of a stream with multistream targets. */
export default function TestPatternDialog({ targets, pending, onClose, onSend }: TestPatternDialogProps) {
  const t = useTranslations('streams.testPattern');
  const [audience, setAudience] = useState('preview');
  const names = useTargetNames(targets);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('sendTestPattern')}
      description={t('whoSeesIt')}
    >
      <RadioCards
        label={t('whoSeesIt')}
        value={audience}
        onChange={setAudience}
        choices={[
          { value: 'preview', title: t('previewOnly'), text: t('previewOnlyText') },
          { value: 'everyone', title: t('alsoTo', { names }), text: t('alsoToText') },
        ]}
      />
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="primary" pending={pending} onClick={() => onSend(audience === 'preview')}>
          {audience === 'preview' ? t('startPreview') : t('sendToAll')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Names of targets, such as "YouTube and Twitch"; targets without a known name are counted. */
function useTargetNames(targets: TestPatternDialogProps['targets']): string {
  const t = useTranslations('streams.testPattern');
  const language = useLocale();
  const allTargets = useTargets().data?.items ?? [];
  const ids = [...new Set(targets.map(({ id }) => id))];
  const listedNames = ids
    .flatMap((id) => allTargets.find((target) => target.id === id)?.name ?? [])
    .slice(0, MAX_NAMED_TARGETS);
  const unnamedCount = ids.length - listedNames.length;
  const targetNames =
    unnamedCount > 0 ? [...listedNames, t('moreTargets', { more: unnamedCount })] : listedNames;
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(targetNames);
}

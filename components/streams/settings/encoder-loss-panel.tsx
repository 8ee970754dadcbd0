'use client';

import { type ReactNode, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { RotateKeyButton } from '@/components/streams/connect/rotate-key';
import { CopyField } from '@/components/ui/copy/copy-field';
import { SecretField } from '@/components/ui/copy/secret-field';
import { Select } from '@/components/ui/form/field';
import { SwitchRow } from '@/components/ui/form/toggle';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { Panel } from '@/components/ui/panel';
import { formatDuration } from '@/components/ui/time-text';
import type { PublicUrls } from '@/lib/client/queries/public-urls';
import { useUpdateStream } from '@/lib/client/queries/stream-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import { SlatePictureField } from './slate-picture';
import { useSaveFailed } from './use-save-failed';

/** Offered times without video after which another input takes over, in milliseconds. */
const fallbackChoices = [1_000, 2_000, 3_000, 5_000, 10_000, 30_000];
/** Offered longest times of the slate, in seconds. */
const slateChoices = [60, 300, 600, 1_800, 3_600];

interface EncoderLossPanelProps {
  stream: Stream;
  urls: Pick<PublicUrls, 'rtmp' | 'rtmps'>;
}

/** Standby encoder and slate of a stream. A change takes effect immediately. */
export function EncoderLossPanel({ stream, urls }: EncoderLossPanelProps) {
  const t = useTranslations('streams.encoderLoss');
  const saveFailed = useSaveFailed();
  const update = useUpdateStream(stream.id);
  const [isDialogOpen, setDialogOpen] = useState(false);
  const saveChange = (body: Parameters<typeof update.mutate>[0]) =>
    update.mutate(body, { onError: saveFailed });
  const { backup, slate } = stream;
  return (
    <Panel id="encoder-loss" title={t('title')} description={t('description')} className="max-w-3xl">
      <div className="grid gap-5">
        <SwitchRow
          label={t('backup')}
          description={t('whatBackupDoes')}
          checked={backup}
          onChange={(next) =>
            !next && stream.program?.standby ? setDialogOpen(true) : saveChange({ backup: next })
          }
        />
        {backup && stream.backupStreamKey !== undefined && (
          <div className="grid min-w-0 gap-3 sm:grid-cols-2">
            <CopyField label={t('server')} value={urls.rtmps ?? urls.rtmp} />
            <SecretField
              label={t('backupKey')}
              value={stream.backupStreamKey}
              aside={<RotateKeyButton stream={stream} keyKind="backup" />}
            />
          </div>
        )}
        <SwitchRow
          label={t('slate')}
          description={t('whatSlateDoes')}
          checked={slate}
          onChange={(next) => saveChange({ slate: next })}
        />
        {slate && <SlateRows stream={stream} onChange={saveChange} />}
        {(backup || slate) && (
          <Choice
            label={t('fallbackAfter')}
            hint={t('fallbackHint')}
            value={stream.fallbackAfterMs}
            choices={withCurrentValue(fallbackChoices, stream.fallbackAfterMs)}
            format={(ms) => t('seconds', { seconds: ms / 1_000 })}
            onChange={(fallbackAfterMs) => saveChange({ fallbackAfterMs })}
          />
        )}
      </div>
      <ConfirmDialog
        open={isDialogOpen}
        onOpenChange={setDialogOpen}
        title={t('turnOffBackup')}
        confirmLabel={t('turnOff')}
        pending={false}
        onConfirm={() => {
          setDialogOpen(false);
          saveChange({ backup: false });
        }}
      >
        {t('standbyIsCut')}
      </ConfirmDialog>
    </Panel>
  );
}

interface SlateRowsProps {
  stream: Stream;
  onChange: (change: { slateSeconds: number | null } | { recordSlate: boolean }) => void;
}

function SlateRows({ stream, onChange }: SlateRowsProps) {
  const t = useTranslations('streams.encoderLoss');
  const seconds = stream.slateSeconds ?? 0;
  return (
    <>
      <Choice
        label={t('slateFor')}
        hint={t('slateForHint')}
        value={seconds}
        // 0 stands for the whole reconnect window, which the API expresses as null.
        choices={[0, ...withCurrentValue(slateChoices, stream.slateSeconds)]}
        format={(choice) => (choice === 0 ? t('untilWindow') : formatDuration(choice))}
        onChange={(choice) => onChange({ slateSeconds: choice === 0 ? null : choice })}
      />
      <SlatePictureField stream={stream} />
      <SwitchRow
        label={t('recordSlate')}
        description={t('whatRecordSlateDoes')}
        checked={stream.recordSlate}
        onChange={(recordSlate) => onChange({ recordSlate })}
      />
    </>
  );
}

/** Adds the current value to the offered values, because the API allows every value. */
const withCurrentValue = (choices: readonly number[], currentValue: number | null): number[] =>
  [...new Set([...choices, ...(currentValue === null ? [] : [currentValue])])].toSorted((a, b) => a - b);

interface ChoiceProps {
  label: string;
  hint: ReactNode;
  value: number;
  choices: readonly number[];
  format: (choice: number) => string;
  onChange: (choice: number) => void;
}

function Choice({ label, hint, value, choices, format, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-64">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-ink-2 text-sm">
          {hint}
        </p>
      </div>
      <Select
        id={id}
        aria-describedby={`${id}-hint`}
        value={value}
        onChange={({ target }) => onChange(Number(target.value))}
        className="sm:w-48"
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {format(choice)}
          </option>
        ))}
      </Select>
    </div>
  );
}

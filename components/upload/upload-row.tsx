'use client';

import { CircleCheck, CircleX, Pause, Play, RotateCw, X } from 'lucide-react';
import Link from 'next/link';
import { useState, type ReactNode } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { formatSize } from '@/components/ui/figures';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { ProgressBar } from '@/components/ui/progress-bar';
import type { UploadEntry } from '@/lib/client/uploads/upload-list';
import { isSettledUpload } from '@/lib/core/assets/upload-state';
import { FailureAdvice } from '@/components/tasks/task-notes';
import { ChooseFiles } from './choose-files';
import { serverMessageIn, uploadStatus } from './upload-text';

export interface UploadActions {
  onPause: (id: string) => void;
  onResume: (id: string) => void;
  onCancel: (id: string) => void;
  onDismiss: (id: string) => void;
  /** @returns false if it is not the file that the upload started with */
  onFile: (id: string, file: File) => boolean;
}

interface UploadRowProps extends UploadActions {
  upload: UploadEntry;
  /** Progress of the processing, 0 to 1; null while unknown. */
  work: number | null;
}

/** Upload with its progress and actions. */
export function UploadRow({ upload, work, ...actions }: UploadRowProps) {
  const t = useTranslations('upload.uploadRow');
  const { phase, name, target, reason } = upload;
  const isSettled = isSettledUpload(phase);
  const labels = useTranslations('upload.uploadText');
  const language = useLocale();
  return (
    <li className="grid gap-1.5 px-4 py-3">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="flex items-center gap-1.5 font-medium">
            {phase === 'ready' && (
              <CircleCheck aria-hidden="true" className="text-accent-ink size-4 shrink-0" />
            )}
            {phase === 'failed' && <CircleX aria-hidden="true" className="text-live-ink size-4 shrink-0" />}
            {target && phase !== 'failed' ? (
              <Link
                href={`/assets/${target.assetId}`}
                title={name}
                className="truncate rounded-sm underline-offset-4 hover:underline"
              >
                {name}
              </Link>
            ) : (
              <span title={name} className="truncate">
                {name}
              </span>
            )}
          </p>
          <p
            className={cn(
              'text-ink-2 text-sm',
              (phase === 'failed' || phase === 'broken') && 'text-live-ink',
            )}
          >
            {uploadStatus(labels, upload, work, language)}
          </p>
          {phase === 'failed' && <FailureAdvice reason={serverMessageIn(reason) ?? ''} />}
        </div>
        <Actions upload={upload} {...actions} />
      </div>
      {!isSettled && (
        <ProgressBar
          label={phase === 'processing' ? t('processingOf', { name }) : t('uploadOf', { name })}
          value={phase === 'processing' ? work : upload.size === 0 ? 0 : upload.sent / upload.size}
          still={phase !== 'uploading' && phase !== 'processing' && phase !== 'elsewhere'}
        />
      )}
      {phase === 'detached' && <FileAgain upload={upload} onFile={actions.onFile} />}
    </li>
  );
}

function Actions({
  upload,
  onPause,
  onResume,
  onCancel,
  onDismiss,
}: UploadActions & { upload: UploadEntry }) {
  const t = useTranslations('upload.uploadRow');
  const { id, phase, name } = upload;
  const isSettled = isSettledUpload(phase);
  return (
    <div className="-mt-1 -mr-2 flex shrink-0">
      {(phase === 'uploading' || phase === 'queued') && (
        <Act
          label={t('pauseName', { name })}
          icon={<Pause aria-hidden="true" />}
          onClick={() => onPause(id)}
        />
      )}
      {phase === 'paused' && (
        <Act
          label={t('resumeName', { name })}
          icon={<Play aria-hidden="true" />}
          onClick={() => onResume(id)}
        />
      )}
      {phase === 'broken' && (
        <Act
          label={t('retryName', { name })}
          icon={<RotateCw aria-hidden="true" />}
          onClick={() => onResume(id)}
        />
      )}
      {!isSettled && phase !== 'processing' && phase !== 'elsewhere' && (
        <Act label={t('cancelName', { name })} icon={<X aria-hidden="true" />} onClick={() => onCancel(id)} />
      )}
      {isSettled && (
        <Act
          label={t('removeName', { name })}
          icon={<X aria-hidden="true" />}
          onClick={() => onDismiss(id)}
        />
      )}
    </div>
  );
}

function Act({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) {
  return (
    <Button variant="ghost" size="icon" aria-label={label} title={label} onClick={onClick}>
      {icon}
    </Button>
  );
}

/** After a reload, the user must choose the file again, because the page cannot reopen it. */
function FileAgain({ upload, onFile }: { upload: UploadEntry; onFile: UploadActions['onFile'] }) {
  const t = useTranslations('upload.uploadRow');
  const language = useLocale();
  const [wrong, setWrong] = useState<string | null>(null);
  return (
    <div className="mt-1 grid justify-items-start gap-1.5">
      <ChooseFiles
        label={t('fileName', { name: upload.name })}
        onFiles={([file]) => file && setWrong(onFile(upload.id, file) ? null : file.name)}
        size="sm"
      >
        {t('chooseTheFileAgain')}
      </ChooseFiles>
      <p role="alert" className="text-live-ink text-sm wrap-anywhere empty:hidden">
        {wrong !== null &&
          t('differentFile', { wrong, name: upload.name, size: formatSize(upload.size, language) })}
      </p>
    </div>
  );
}

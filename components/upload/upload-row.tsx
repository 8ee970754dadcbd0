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
import { isFinalUploadPhase } from '@/lib/core/assets/upload-state';
import { FailureAdvice } from '@/components/tasks/task-notes';
import { ChooseFilesButton } from './choose-files';
import { serverMessageIn, uploadStatus } from './upload-text';

/** Actions of uploads by their id. */
export interface UploadActions {
  onPause: (id: string) => void;
  onResume: (id: string) => void;
  onCancel: (id: string) => void;
  /** Removes a finished upload from the list. */
  onDismiss: (id: string) => void;
  /**
   * Resumes an upload with the file, after a reload of the page.
   * @returns false if the file is not the one with which the upload started
   */
  onFile: (id: string, file: File) => boolean;
}

interface UploadRowProps extends UploadActions {
  upload: UploadEntry;
  /** Progress of the processing, 0 to 1; null while unknown. */
  processingProgress: number | null;
}

/** Upload with its progress and actions. */
export function UploadRow({ upload, processingProgress, ...actions }: UploadRowProps) {
  const t = useTranslations('upload.uploadRow');
  const { phase, name, target, reason } = upload;
  const isFinal = isFinalUploadPhase(phase);
  const tUploadText = useTranslations('upload.uploadText');
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
            {uploadStatus(tUploadText, upload, processingProgress, language)}
          </p>
          {phase === 'failed' && <FailureAdvice reason={serverMessageIn(reason) ?? ''} />}
        </div>
        <Actions upload={upload} {...actions} />
      </div>
      {!isFinal && (
        <ProgressBar
          label={phase === 'processing' ? t('processingOf', { name }) : t('uploadOf', { name })}
          value={
            phase === 'processing' ? processingProgress : upload.size === 0 ? 0 : upload.sent / upload.size
          }
          isStill={phase !== 'uploading' && phase !== 'processing' && phase !== 'elsewhere'}
        />
      )}
      {phase === 'detached' && <ChooseFileAgain upload={upload} onFile={actions.onFile} />}
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
  const isFinal = isFinalUploadPhase(phase);
  return (
    <div className="-mt-1 -mr-2 flex shrink-0">
      {(phase === 'uploading' || phase === 'queued') && (
        <ActionButton
          label={t('pauseName', { name })}
          icon={<Pause aria-hidden="true" />}
          onClick={() => onPause(id)}
        />
      )}
      {phase === 'paused' && (
        <ActionButton
          label={t('resumeName', { name })}
          icon={<Play aria-hidden="true" />}
          onClick={() => onResume(id)}
        />
      )}
      {phase === 'broken' && (
        <ActionButton
          label={t('retryName', { name })}
          icon={<RotateCw aria-hidden="true" />}
          onClick={() => onResume(id)}
        />
      )}
      {!isFinal && phase !== 'processing' && phase !== 'elsewhere' && (
        <ActionButton
          label={t('cancelName', { name })}
          icon={<X aria-hidden="true" />}
          onClick={() => onCancel(id)}
        />
      )}
      {isFinal && (
        <ActionButton
          label={t('removeName', { name })}
          icon={<X aria-hidden="true" />}
          onClick={() => onDismiss(id)}
        />
      )}
    </div>
  );
}

function ActionButton({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) {
  return (
    <Button variant="ghost" size="icon" aria-label={label} title={label} onClick={onClick}>
      {icon}
    </Button>
  );
}

/** Button that chooses the file again after a reload, because a page cannot reopen a file. */
function ChooseFileAgain({ upload, onFile }: { upload: UploadEntry; onFile: UploadActions['onFile'] }) {
  const t = useTranslations('upload.uploadRow');
  const language = useLocale();
  const [wrongFileName, setWrongFileName] = useState<string | null>(null);
  return (
    <div className="mt-1 grid justify-items-start gap-1.5">
      <ChooseFilesButton
        label={t('fileName', { name: upload.name })}
        onFiles={([file]) => file && setWrongFileName(onFile(upload.id, file) ? null : file.name)}
        size="sm"
      >
        {t('chooseTheFileAgain')}
      </ChooseFilesButton>
      <p role="alert" className="text-live-ink text-sm wrap-anywhere empty:hidden">
        {wrongFileName !== null &&
          t('differentFile', {
            wrong: wrongFileName,
            name: upload.name,
            size: formatSize(upload.size, language),
          })}
      </p>
    </div>
  );
}

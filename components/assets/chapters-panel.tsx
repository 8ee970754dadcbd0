'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, FormError, Textarea } from '@/components/ui/form/field';
import { Panel } from '@/components/ui/panel';
import { errorMessagesOf } from '@/lib/client/call';
import { useUpdateAsset } from '@/lib/client/queries/asset-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import { chaptersOfCues, readCaptionFile } from '@/lib/core/captions/caption-file';
import { chapterLimits } from '@/lib/core/assets/chapters';
import { readChapters, writeChapters } from '@/lib/core/assets/written-chapters';
import { CaptionFileField, type ChosenText } from './caption-file-field';

/** Edits the chapters of an asset as text, one per line; players show them in the seek bar. */
export function ChaptersPanel({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.chaptersPanel');
  const savedText = writeChapters(asset.chapters ?? []);
  const [draft, setDraft] = useState<string | null>(null);
  const [error, setError] = useState<string>();
  const update = useUpdateAsset(asset.id);
  const text = draft ?? savedText;
  const load = (file: ChosenText) => {
    const result = readCaptionFile(file.text ?? '');
    const chapters = 'cues' in result ? chaptersOfCues(result.cues, asset.videoSpec?.duration ?? null) : [];
    setError(chapters.length === 0 ? t('notAFile') : undefined);
    if (chapters.length > 0) setDraft(writeChapters(chapters));
  };
  const save = () => {
    const result = readChapters(text, asset.videoSpec?.duration ?? null);
    if ('problem' in result) {
      setError(t(`problem.${result.problem}`, { line: String(result.line) }));
      return;
    }
    if (result.chapters.length > chapterLimits.count) {
      setError(t('tooMany', { count: chapterLimits.count }));
      return;
    }
    update.mutate(
      { chapters: [...result.chapters] },
      {
        onSuccess: () => {
          setDraft(null);
          toast.success(t('saved'));
        },
      },
    );
  };
  return (
    <Panel title={t('chapters')} description={t('description')}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (text !== savedText && !update.isPending) save();
        }}
      >
        <Field label={t('onePerLine')} hint={t('hint')} error={error}>
          {(field) => (
            <Textarea
              {...field}
              rows={3}
              className="field-sizing-content max-h-80"
              spellCheck={false}
              placeholder={t('placeholder')}
              value={text}
              onChange={({ target }) => {
                setDraft(target.value);
                setError(undefined);
              }}
            />
          )}
        </Field>
        <FormError>{errorMessagesOf(update.error).join(' ')}</FormError>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" disabled={text === savedText} pending={update.isPending}>
            {t('save')}
          </Button>
          <CaptionFileField label={t('chaptersFile')} onFile={load}>
            {t('fromFile')}
          </CaptionFileField>
        </div>
      </form>
    </Panel>
  );
}

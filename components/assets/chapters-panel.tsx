'use client';

import { useWatch } from 'react-hook-form';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Field, Textarea } from '@/components/ui/form/field';
import { MutationForm, SubmitButton } from '@/components/ui/form/mutation-form';
import { useMutationForm } from '@/components/ui/form/use-mutation-form';
import { Panel } from '@/components/ui/panel';
import { useUpdateAsset } from '@/lib/client/queries/asset-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import { parseChapterCues, parseCaptionFile } from '@/lib/core/captions/caption-file';
import { chapterLimits } from '@/lib/core/assets/chapters';
import { parseChapterText, formatChapterText } from '@/lib/core/assets/chapter-text';
import { CaptionFileField, type ChosenCaptionFile } from './caption-file-field';

/** Edits the chapters of an asset as text, one per line; players show them in the seek bar. */
export function ChaptersPanel({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.chaptersPanel');
  const savedText = formatChapterText(asset.chapters ?? []);
  const duration = asset.videoSpec?.duration ?? null;
  const update = useUpdateAsset(asset.id);
  const form = useMutationForm({
    mutation: update,
    fields: ['chapters'],
    values: { chapters: savedText },
    resetOptions: { keepDirtyValues: true },
  });
  const hasChanged = useWatch({ control: form.control, name: 'chapters' }) !== savedText;
  const loadFile = (file: ChosenCaptionFile) => {
    const result = parseCaptionFile(file.text ?? '');
    const chapters = 'cues' in result ? parseChapterCues(result.cues, duration) : [];
    const problem = file.problemKey === 'fileNotRead' ? file.problemKey : 'notAFile';
    if (chapters.length === 0) form.setError('chapters', { message: t(problem) });
    else form.setValue('chapters', formatChapterText(chapters), { shouldValidate: true });
  };
  const validateChapters = (text: string): string | undefined => {
    const result = parseChapterText(text, duration);
    if ('problem' in result) return t(`problem.${result.problem}`, { line: String(result.line) });
    return result.chapters.length > chapterLimits.count
      ? t('tooMany', { count: chapterLimits.count })
      : undefined;
  };
  const save = (values: { chapters: string }) => {
    const result = parseChapterText(values.chapters, duration);
    if ('problem' in result) return;
    update.mutate(
      { chapters: [...result.chapters] },
      {
        onSuccess: () => {
          form.reset({ chapters: formatChapterText(result.chapters) });
          toast.success(t('saved'));
        },
      },
    );
  };
  return (
    <Panel title={t('chapters')} description={t('description')}>
      <MutationForm
        form={form}
        className="grid gap-4"
        canSubmit={hasChanged}
        actions={
          <div className="flex flex-wrap gap-2">
            <SubmitButton variant="secondary">{t('save')}</SubmitButton>
            <CaptionFileField label={t('chaptersFile')} onFile={loadFile}>
              {t('fromFile')}
            </CaptionFileField>
          </div>
        }
        onSubmit={save}
      >
        <Field label={t('onePerLine')} hint={t('hint')} error={form.errorOf('chapters')}>
          {(field) => (
            <Textarea
              {...field}
              {...form.register('chapters', {
                validate: validateChapters,
                onChange: () => form.clearErrors('chapters'),
              })}
              rows={3}
              className="field-sizing-content max-h-80"
              spellCheck={false}
              placeholder={t('placeholder')}
            />
          )}
        </Field>
      </MutationForm>
    </Panel>
  );
}

'use client';

import { DAY_SECONDS, WEEK_SECONDS } from '@/lib/core/units';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { embedCode, watchUrl } from '@/components/player/pages/share-links';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { CopyField } from '@/components/ui/copy/copy-field';
import { Field, Select } from '@/components/ui/form/field';
import { MutationForm, SubmitButton } from '@/components/ui/form/mutation-form';
import { useMutationForm } from '@/components/ui/form/use-mutation-form';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import { useCreatePlaybackToken } from '@/lib/client/queries/access-queries';

/** Lifetimes of a link in seconds. Playback must start within this time. */
const periods = { hour: 3_600, day: DAY_SECONDS, week: WEEK_SECONDS } as const;
const periodNames = ['hour', 'day', 'week'] as const;

interface ViewerLinkProps {
  baseUrl: string;
  playbackId: string;
  /** Accessible name of the frame. */
  title: string;
}

/** Creates a link that works without password, key or webhook until it expires. */
export function ViewerLink({ baseUrl, playbackId, title }: ViewerLinkProps) {
  const t = useTranslations('access.link');
  const format = useTimeFormat();
  const create = useCreatePlaybackToken(playbackId);
  const form = useMutationForm({
    mutation: create,
    fields: { period: 'expiresIn' },
    defaultValues: { period: 'day' as (typeof periodNames)[number] },
  });
  const token = create.data?.token;
  return (
    <div className="grid gap-4 border-t pt-5">
      <div>
        <h3 className="font-medium">{t('title')}</h3>
        <p className="text-ink-2 text-sm">{t('text')}</p>
      </div>
      <MutationForm
        form={form}
        className="flex flex-wrap items-end gap-3"
        actions={null}
        onSubmit={({ period }) =>
          create.mutate(periods[period], {
            onError: (error) => toast.error(t('failed'), { description: error.message }),
          })
        }
      >
        <Field label={t('expires')}>
          {(field) => (
            <Select {...field} {...form.register('period')} className="min-w-40">
              {periodNames.map((period) => (
                <option key={period} value={period}>
                  {t(period)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <SubmitButton variant="secondary">{t('create')}</SubmitButton>
      </MutationForm>
      {create.data && token !== undefined && (
        <div className="grid gap-4" aria-live="polite">
          <CopyField label={t('watchPage')} value={watchUrl(baseUrl, playbackId, { token })} />
          <div>
            <div className="text-ink-2 mb-1.5 text-sm">{t('embedCode')}</div>
            <CodeBlock label={t('embedCode')} code={embedCode(baseUrl, playbackId, title, { token })} />
          </div>
          <p className="text-ink-2 text-sm">{t('until', { time: format.full(create.data.expiresAt) })}</p>
        </div>
      )}
    </div>
  );
}

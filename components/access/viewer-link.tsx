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

/** Seconds from the creation of a link in which playback must start. */
const lifetimeSeconds = { hour: 3_600, day: DAY_SECONDS, week: WEEK_SECONDS } as const;
const lifetimes = ['hour', 'day', 'week'] as const;

interface ViewerLinkProps {
  baseUrl: string;
  playbackId: string;
  /** Accessible name of the frame. */
  title: string;
}

/** Form that creates a link with a playback token, which needs no password, access key or webhook until it expires. */
export function ViewerLink({ baseUrl, playbackId, title }: ViewerLinkProps) {
  const t = useTranslations('access.link');
  const format = useTimeFormat();
  const create = useCreatePlaybackToken(playbackId);
  const form = useMutationForm({
    mutation: create,
    fields: { lifetime: 'expiresIn' },
    defaultValues: { lifetime: 'day' as (typeof lifetimes)[number] },
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
        onSubmit={({ lifetime }) =>
          create.mutate(lifetimeSeconds[lifetime], {
            onError: (error) => toast.error(t('failed'), { description: error.message }),
          })
        }
      >
        <Field label={t('expires')}>
          {(field) => (
            <Select {...field} {...form.register('lifetime')} className="min-w-40">
              {lifetimes.map((lifetime) => (
                <option key={lifetime} value={lifetime}>
                  {t(lifetime)}
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

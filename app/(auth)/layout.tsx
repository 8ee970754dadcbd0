import type { ReactNode } from 'react';
import { StreamDiagram } from '@/components/auth/stream-diagram';
import { Wordmark } from '@/components/ui/mark';
import { ClientErrorTranslation } from '@/components/i18n/reasons';
import { TimeSettingsCookie } from '@/components/ui/time/store-time-settings';
import { DataProvider } from '@/app/data-provider';
import { getTranslations, AreaMessagesProvider } from '@/app/messages';
import type { Area } from '@/messages/catalogue';

const areas: readonly Area[] = ['auth', 'reasons', 'site', 'ui'];

/** Every page below depends on who is signed in, so none is rendered at build time. */
export const dynamic = 'force-dynamic';

export default async function AuthLayout({ children }: { children: ReactNode }) {
  const t = await getTranslations('auth.picture');
  return (
    <DataProvider>
      <TimeSettingsCookie />
      <div className="grid min-h-dvh lg:grid-cols-[minmax(26rem,2fr)_3fr]">
        <main className="bg-surface flex flex-col px-4 py-6 sm:px-12 lg:border-r">
          <Wordmark />
          <div className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center py-12">
            <AreaMessagesProvider areas={areas}>
              <ClientErrorTranslation />
              {children}
            </AreaMessagesProvider>
          </div>
        </main>
        <aside className="hidden flex-col justify-center gap-10 px-16 lg:flex">
          <StreamDiagram inputs={[t('video'), t('audio'), t('time')]} stream={t('stream')} />
          <p className="text-ink-2 max-w-md text-lg text-balance">{t('text')}</p>
        </aside>
      </div>
    </DataProvider>
  );
}

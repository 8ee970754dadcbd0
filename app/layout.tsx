import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import { cookies, headers } from 'next/headers';
import type { ReactNode } from 'react';
import { followTheme } from '@/components/ui/theme/follow-theme';
import { ThemeFollower } from '@/components/ui/theme/theme-follower';
import { unknownTime } from '@/components/ui/time/time-choice';
import { parseTimeCookie, timeCookie } from '@/components/ui/time/time-cookie';
import { ServerTimeProvider } from '@/components/ui/time/time-settings';
import './globals.css';
import { getLanguage } from './language';
import { getTranslations, AreaMessagesProvider } from './messages';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('site');
  return {
    title: { default: 'Headwater', template: '%s · Headwater' },
    description: t('description'),
    robots: { index: false },
  };
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f8fafa' },
    { media: '(prefers-color-scheme: dark)', color: '#0b0f12' },
  ],
};

/**
 * Asking for the request's nonce (web/security-headers.ts) makes every page dynamic: the scripts of a static page
 * would be blocked.
 */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? '';
  const time = parseTimeCookie((await cookies()).get(timeCookie)?.value) ?? unknownTime;
  const language = await getLanguage();
  return (
    // The theme is set before the first paint, so server and client markup differ on purpose.
    <html lang={language} suppressHydrationWarning className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <body>
        <script
          nonce={nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: `(${followTheme.toString()})()` }}
        />
        <ThemeFollower />
        <ServerTimeProvider settings={time}>
          <AreaMessagesProvider areas={['site']}>{children}</AreaMessagesProvider>
        </ServerTimeProvider>
      </body>
    </html>
  );
}

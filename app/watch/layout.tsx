import type { ReactNode } from 'react';
import { AreaMessagesProvider } from '@/app/messages';
import type { Area } from '@/messages/catalogue';

/** Message areas of the watch page. The buttons that copy a link need `ui`. */
const areas: readonly Area[] = ['player', 'clips', 'ui'];

export default function WatchLayout({ children }: { children: ReactNode }) {
  return <AreaMessagesProvider areas={areas}>{children}</AreaMessagesProvider>;
}

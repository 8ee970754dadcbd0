import type { ReactNode } from 'react';
import { AreaMessagesProvider } from '@/app/messages';
import type { Area } from '@/messages/catalogue';

/** Message areas of the embed. The buttons that copy a link need `ui`. */
const areas: readonly Area[] = ['player', 'ui'];

export default function EmbedLayout({ children }: { children: ReactNode }) {
  return <AreaMessagesProvider areas={areas}>{children}</AreaMessagesProvider>;
}

import { getTranslations } from '@/app/messages';
import { MessagePage } from '@/components/ui/message-page';

export default async function WatchNotFound() {
  const t = await getTranslations('player.page');
  return (
    <MessagePage code="404" title={t('nothingTitle')}>
      {t('nothingText')}
    </MessagePage>
  );
}

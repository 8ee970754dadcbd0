import { MessagePage } from '@/components/ui/message-page';
import { PlainLink } from '@/components/ui/plain-action';

export default function NotFound() {
  return (
    <MessagePage
      code="404"
      title="There is no page here"
      action={<PlainLink href="/">Go to the start</PlainLink>}
    >
      The address is not quite right, or what was here is gone.
    </MessagePage>
  );
}

import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { errorMessagesOf } from '@/lib/client/call';
import { useDrainNode } from '@/lib/client/queries/node-queries';
import type { Node } from '@/lib/contract/nodes/node';
import { readUrl } from '@/lib/core/read-url';

/** Host and port at which other nodes reach the node. */
export const formatNodeHost = ({ url }: Node): string => readUrl(url)?.host ?? url;

/**
 * Asks for confirmation before a live node is drained.
 * @param node null = closed
 */
export function DrainNodeDialog({
  node,
  nodes,
  onClose,
}: {
  node: Node | null;
  nodes: readonly Node[];
  onClose: () => void;
}) {
  const t = useTranslations('nodes.drainNode');
  const drain = useDrainNode();
  const close = () => {
    drain.reset();
    onClose();
  };
  const isOnOtherMachine = ({ role, state, machineId }: Node) =>
    role === 'live' && state === 'online' && machineId !== node?.machineId;
  return (
    <ConfirmDialog
      open={node !== null}
      onOpenChange={(open) => !open && close()}
      title={t('title', { name: node ? formatNodeHost(node) : '' })}
      confirmLabel={t('confirm')}
      pending={drain.isPending}
      error={errorMessagesOf(drain.error)[0]}
      onConfirm={() => {
        if (!node) return;
        drain.mutate(
          { id: node.id, draining: true },
          {
            onSuccess: () => {
              toast.success(t('done'));
              close();
            },
          },
        );
      }}
    >
      {t('whatHappens')} {nodes.some(isOnOtherMachine) ? t('othersTake') : t('noOther')}
    </ConfirmDialog>
  );
}

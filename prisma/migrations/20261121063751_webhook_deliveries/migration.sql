-- DropIndex
DROP INDEX "WebhookDelivery_state_nextAt_idx";

-- AlterTable
ALTER TABLE "Event" DROP COLUMN "fannedOutAt",
ADD COLUMN     "test" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "txid" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint;

-- AlterTable
ALTER TABLE "Webhook" ADD COLUMN     "disabledReason" TEXT,
ADD COLUMN     "failingSince" TIMESTAMPTZ(3),
ADD COLUMN     "givenUp" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "secretPreviousSealed" BYTEA,
ADD COLUMN     "secretPreviousUntil" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "WebhookAttempt" ADD COLUMN     "nextAt" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "WebhookDelivery" ADD COLUMN     "triesBefore" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "Event_userId_txid_id_idx" ON "Event"("userId", "txid", "id");

-- CreateIndex
CREATE INDEX "WebhookDelivery_state_webhookId_nextAt_idx" ON "WebhookDelivery"("state", "webhookId", "nextAt");

-- CreateIndex
CREATE INDEX "WebhookDelivery_webhookId_createdAt_id_idx" ON "WebhookDelivery"("webhookId", "createdAt" DESC, "id");

-- AlterTable
ALTER TABLE "WebhookDelivery" DROP COLUMN "lockedUntil";

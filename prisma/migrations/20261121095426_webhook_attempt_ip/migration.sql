-- AlterTable
ALTER TABLE "WebhookAttempt" ADD COLUMN     "ip" TEXT;

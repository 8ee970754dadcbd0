-- AlterTable
ALTER TABLE "Node" ADD COLUMN     "fullReason" TEXT,
ADD COLUMN     "roomStreams" INTEGER;

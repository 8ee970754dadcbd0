-- AlterTable
ALTER TABLE "Node" ADD COLUMN     "srtIngestUrl" TEXT;

-- AlterTable
ALTER TABLE "Stream" ADD COLUMN     "srtPassphraseSealed" BYTEA;

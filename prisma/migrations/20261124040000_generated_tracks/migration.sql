-- AlterTable
ALTER TABLE "AssetTrack" ADD COLUMN     "generated" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "AssetTrack" ADD COLUMN     "ofFile" BOOLEAN NOT NULL DEFAULT false;

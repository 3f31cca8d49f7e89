//! What is said of snapshots, restores and backup files to whoever asks for one.

use hanok_base::MessageTemplate;

/// Nothing to take back.
pub(super) const NO_RESTORE: MessageTemplate =
    MessageTemplate::new("house.no_restore_to_undo", "there is no restore to undo");
/// The state that a restore has replaced is damaged.
pub(super) const ASIDE_IS_DAMAGED: MessageTemplate = MessageTemplate::new(
    "house.aside_is_damaged",
    "the state before the last restore is damaged and cannot be put back; its file is kept as {path}",
);
/// The state that a restore has replaced cannot be used yet.
pub(super) const ASIDE_IS_NOT_LISTED: MessageTemplate = MessageTemplate::new(
    "house.aside_is_not_listed",
    "the state before the last restore is not listed yet and cannot be put back now; its file is kept as {path}",
);
/// A damaged snapshot, while there is another.
pub(super) const DAMAGED_AND_ANOTHER: MessageTemplate = MessageTemplate::new(
    "house.snapshot_damaged_and_another",
    "snapshot {name} is damaged and is not restored; the newest sound one is {sound}: `hanok restore {sound}`",
);
/// A damaged snapshot, and no other.
pub(super) const DAMAGED_AND_NO_OTHER: MessageTemplate = MessageTemplate::new(
    "house.snapshot_damaged_and_no_other",
    "snapshot {name} is damaged and is not restored; there is no sound one; `hanok backup` makes one",
);
/// None can be restored.
pub(super) const NO_SOUND_SNAPSHOT: MessageTemplate = MessageTemplate::new(
    "house.no_sound_snapshot",
    "there is no sound snapshot in backups/; a backup file from elsewhere is taken over by `hanok restore --from FILE`",
);
/// Written by a later version.
pub(super) const TOO_NEW: MessageTemplate = MessageTemplate::new(
    "house.snapshot_too_new",
    "snapshot {name} has store version {version}, this version can read up to {known}",
);
/// Its bytes are others.
pub(super) const CHANGED: MessageTemplate =
    MessageTemplate::new("house.snapshot_changed", "snapshot {name} is damaged: its bytes have changed");
/// Its file was cut or has grown.
pub(super) const OF_ANOTHER_LENGTH: MessageTemplate = MessageTemplate::new(
    "house.snapshot_of_another_length",
    "snapshot {name} is damaged: it has {length} bytes and had {before}",
);
/// It cannot be opened.
pub(super) const UNREADABLE: MessageTemplate =
    MessageTemplate::new("house.snapshot_unreadable", "snapshot {name} cannot be read");
/// Its file is gone.
pub(super) const LOST: MessageTemplate = MessageTemplate::new(
    "house.snapshot_lost",
    "snapshot {name} is lost: {name}.redb is not in backups/ any more; bring it back, or remove {name}.json",
);
/// Its description is gone.
pub(super) const UNDESCRIBED: MessageTemplate = MessageTemplate::new(
    "house.snapshot_undescribed",
    "snapshot {name} cannot be restored: its description {name}.json is not there any more",
);
/// Its description is broken.
pub(super) const DESCRIPTION_UNREADABLE: MessageTemplate = MessageTemplate::new(
    "house.snapshot_description_unreadable",
    "snapshot {name} cannot be restored: its description {name}.json cannot be read",
);
/// Something else lies in its place.
pub(super) const NO_FILE: MessageTemplate = MessageTemplate::new(
    "house.snapshot_no_file",
    "snapshot {name} cannot be restored: {name}.{extension} in backups/ is a link or a device, and no file",
);
/// A sound one stays.
pub(super) const SOUND: MessageTemplate =
    MessageTemplate::new("house.snapshot_sound", "snapshot {name} is sound; only a damaged one is removed by hand");
/// It stays against our will.
pub(super) const NOT_REMOVED: MessageTemplate =
    MessageTemplate::new("house.snapshot_not_removed", "the files of snapshot {name} cannot be removed");
/// What was brought is no backup file.
pub(super) const NOT_A_BACKUP_FILE: MessageTemplate =
    MessageTemplate::new("house.must.backup_file", "is not a whole hanok backup file");
/// Another file is on its way in.
pub(super) const ANOTHER_UPLOAD: MessageTemplate = MessageTemplate::new(
    "house.another_upload",
    "another backup file is being uploaded or restored; wait for it, or cancel it",
);
/// Somebody has ended it.
pub(super) const UPLOAD_ENDED: MessageTemplate =
    MessageTemplate::new("house.upload_ended", "somebody has cancelled this; nothing was changed");
/// The file that was brought waits no more.
pub(super) const UPLOAD_GONE: MessageTemplate = MessageTemplate::new(
    "house.upload_gone",
    "this backup file is not there any more: another one was uploaded, somebody deleted it, its day is over, or hanok was \
     started again; nothing was changed",
);
/// The file that was brought is in use.
pub(super) const UPLOAD_IN_USE: MessageTemplate =
    MessageTemplate::new("house.upload_in_use", "a backup file is being uploaded or restored");
/// A damaged snapshot is not given out.
pub(super) const DAMAGED: MessageTemplate =
    MessageTemplate::new("house.snapshot_damaged", "snapshot {name} is damaged");
/// There is no folder.
pub(super) const IN_MEMORY: MessageTemplate =
    MessageTemplate::new("house.store_in_memory", "a store in memory has neither snapshots nor backups");
/// What a restore has replaced is damaged.
pub(super) const REPLACED_IS_DAMAGED: MessageTemplate =
    MessageTemplate::new("house.replaced_is_damaged", "the state before a restore is damaged");
/// A backup file of a later version.
pub(super) const FILE_TOO_NEW: MessageTemplate = MessageTemplate::new(
    "house.backup_file_too_new",
    "the file was written by hanok {program} (store version {version}); this version can read up to {known}",
);
/// A backup file is too large to be taken in.
pub(super) const FILE_TOO_LARGE: MessageTemplate = MessageTemplate::new(
    "house.backup_file_too_large",
    "a backup file may have {most} MiB (backup.upload_mib); nothing was changed",
);
/// A backup file holds more than there is room for.
pub(super) const NO_ROOM_FOR_FILE: MessageTemplate = MessageTemplate::new(
    "house.no_room_for_backup_file",
    "by its own description the backup file takes {needed} MiB with the present state and the reserve, and {free} MiB are \
     free; nothing was changed",
);
/// What is to be taken over is no file, and nothing that one comes out of.
pub(super) const NO_FILE_OR_PIPE: MessageTemplate = MessageTemplate::new(
    "house.must.be_a_file_or_pipe",
    "must be a backup file: what lies there is a folder or a device",
);
/// What a running house is to take over is no file.
pub(super) const NO_FILE_FOR_A_RUNNING_HOUSE: MessageTemplate = MessageTemplate::new(
    "house.must.be_a_file_for_a_running_house",
    "must be a backup file: what lies there is a folder, a device or a pipe; while hanok runs, write what comes out of a \
     pipe to a file first",
);
/// A backup file that cannot be opened.
pub(super) const FILE_NOT_OPENED: MessageTemplate = MessageTemplate::new("house.must.be_opened", "cannot be opened");
/// Nothing lies where a store is to be taken over.
pub(super) const NOTHING_TO_ADOPT: MessageTemplate =
    MessageTemplate::new("house.nothing_to_adopt", "there is no store in {path} to take over");
/// A store that is not taken over.
pub(super) const NOT_ADOPTED: MessageTemplate = MessageTemplate::new(
    "house.not_adopted",
    "hanok.redb is not taken over, {finding}; nothing was changed; run `hanok restore --latest` to go on from the newest \
     verified snapshot in backups/, or `hanok restore --from FILE` from a backup file",
);
/// There is no folder for the backup file.
pub(super) const IN_A_FOLDER: MessageTemplate =
    MessageTemplate::new("house.must.be_in_a_folder", "must be a file in a folder that exists");
/// Nobody may write there.
pub(super) const NOT_WRITABLE: MessageTemplate = MessageTemplate::new(
    "house.must.be_writable",
    "must be a file in a folder that you may write to; look at its rights, and whether its disk takes nothing but reading",
);
/// There is no room where the backup file is to lie.
pub(super) const NO_ROOM_THERE: MessageTemplate = MessageTemplate::new(
    "house.no_room_there",
    "there is no room for the backup file where it was to lie; make room there or name another place; nothing was changed",
);
/// The backup file would lie in its own house.
pub(super) const OUTSIDE_THE_HOUSE: MessageTemplate = MessageTemplate::new(
    "house.must.be_outside_the_house",
    "must lie outside the data folder {path}, with which it would be lost",
);
/// The backup file would lie in another house.
pub(super) const OUTSIDE_OTHERS: MessageTemplate =
    MessageTemplate::new("house.must.be_outside_others", "must lie outside the data folder {path} of another hanok");
/// The disk takes no such name.
pub(super) const SHORTER_NAME: MessageTemplate = MessageTemplate::new(
    "house.must.have_a_shorter_name",
    "must be a file with a shorter name: this disk takes none so long",
);
/// What lies in its place is no file.
pub(super) const NO_FILE_THERE: MessageTemplate = MessageTemplate::new(
    "house.must.be_no_device",
    "must be a file in a folder that exists: what lies there is a folder, a device or a pipe",
);
/// What lies in its place is somebody's.
pub(super) const NO_BACKUP_THERE: MessageTemplate = MessageTemplate::new(
    "house.must.be_new_or_a_backup",
    "must be a new name or that of an earlier backup: the file that lies there is no backup",
);

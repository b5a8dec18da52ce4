<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja_JP">
    <context>
        <name>Composer</name>
        <message>
            <source>Write as {name}…</source>
            <translation>{name}として書く…</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>止める</translation>
        </message>
        <message>
            <source>Send</source>
            <translation>送る</translation>
        </message>
        <message>
            <source>Which key sends?</source>
            <translation>どのキーで送りますか？</translation>
        </message>
        <message>
            <source>Enter (Shift+Enter breaks the line)</source>
            <translation>Enter（改行は Shift+Enter）</translation>
        </message>
        <message>
            <source>Ctrl+Enter (Enter breaks the line)</source>
            <translation>Ctrl+Enter（改行は Enter）</translation>
        </message>
    </context>
    <context>
        <name>Errors</name>
        <message>
            <source>The message takes {tokens} tokens with the character's card; the window holds {window}.</source>
            <translation>この文はキャラクターカードと合わせて {tokens} トークンになり、枠の {window} トークンを超えます。</translation>
        </message>
        <message>
            <source>Nothing was sent; the text is still in the composer.</source>
            <translation>まだ何も送っていません。文は入力欄に残っています。</translation>
        </message>
        <message>
            <source>Shorten it by {over} tokens, or load the model with a larger window.</source>
            <translation>{over} トークン分短くするか、モデルをもっと広い枠で読み込んでください。</translation>
        </message>
        <message>
            <source>The character's card alone takes {tokens} tokens; the window holds {window}.</source>
            <translation>キャラクターカードだけで {tokens} トークンになり、枠の {window} トークンを超えます。</translation>
        </message>
        <message>
            <source>Nothing was sent; your text is kept.</source>
            <translation>何も送っていません。書いた文は残っています。</translation>
        </message>
        <message>
            <source>Load the model with a larger window, or choose a character with a shorter card.</source>
            <translation>枠を大きくしてモデルを読み込み直すか、カードの短いキャラクターを選んでください。</translation>
        </message>
        <message>
            <source>That cannot be done to this part of the memory: {detail}.</source>
            <translation>記憶のこの部分には、それはできません：{detail}。</translation>
        </message>
        <message>
            <source>The memory is as it was.</source>
            <translation>記憶は元のままです。</translation>
        </message>
        <message>
            <source>Choose another act, or write other words.</source>
            <translation>別の操作を選ぶか、別の言葉を書いてください。</translation>
        </message>
        <message>
            <source>The message is empty.</source>
            <translation>文が空です。</translation>
        </message>
        <message>
            <source>Nothing was sent.</source>
            <translation>何も送っていません。</translation>
        </message>
        <message>
            <source>Write something first.</source>
            <translation>まず何か書いてください。</translation>
        </message>
        <message>
            <source>There is no reply to continue.</source>
            <translation>続きを書ける返事がありません。</translation>
        </message>
        <message>
            <source>Nothing was changed.</source>
            <translation>何も変えていません。</translation>
        </message>
        <message>
            <source>Send a message first.</source>
            <translation>先に文を送ってください。</translation>
        </message>
        <message>
            <source>No model is loaded.</source>
            <translation>モデルが読み込まれていません。</translation>
        </message>
        <message>
            <source>Your text is kept.</source>
            <translation>文は残っています。</translation>
        </message>
        <message>
            <source>Choose a model, then send again.</source>
            <translation>モデルを選んでから、もう一度送ってください。</translation>
        </message>
        <message>
            <source>The engine stopped ({detail}) and was started again.</source>
            <translation>エンジンが止まり（{detail}）、起動し直しました。</translation>
        </message>
        <message>
            <source>Your text and all that was written so far are kept.</source>
            <translation>文も、ここまでに書かれたものも残っています。</translation>
        </message>
        <message>
            <source>Send again; if it happens again, choose a smaller window or another model.</source>
            <translation>もう一度送ってください。くり返すときは、枠を小さくするか別のモデルを選んでください。</translation>
        </message>
        <message>
            <source>The engine reported an error: {detail}.</source>
            <translation>エンジンがエラーを返しました：{detail}。</translation>
        </message>
        <message>
            <source>Try again; if it happens again, load the model anew.</source>
            <translation>もう一度試してください。くり返すときは、モデルを読み込み直してください。</translation>
        </message>
        <message>
            <source>The model computes no usable numbers (not a number).</source>
            <translation>モデルの計算結果が数値になりません。</translation>
        </message>
        <message>
            <source>What was written before is kept.</source>
            <translation>それまでに書かれたものは残っています。</translation>
        </message>
        <message>
            <source>The model file is damaged or does not fit this engine; choose another.</source>
            <translation>モデルのファイルが壊れているか、このエンジンに合いません。別のものを選んでください。</translation>
        </message>
        <message>
            <source>Another reply is still being written.</source>
            <translation>ほかの返事を書いている途中です。</translation>
        </message>
        <message>
            <source>Wait for it or stop it, then send again.</source>
            <translation>終わるのを待つか止めてから、もう一度送ってください。</translation>
        </message>
        <message>
            <source>The model file {path} does not exist.</source>
            <translation>モデルのファイル {path} がありません。</translation>
        </message>
        <message>
            <source>The model loaded before stays as it was.</source>
            <translation>前に読み込んだモデルはそのままです。</translation>
        </message>
        <message>
            <source>Check the drive and the name, or choose another file.</source>
            <translation>ドライブと名前を確かめるか、別のファイルを選んでください。</translation>
        </message>
        <message>
            <source>The model file {path} cannot be read ({detail}).</source>
            <translation>モデルのファイル {path} を読めません（{detail}）。</translation>
        </message>
        <message>
            <source>Check the permissions of the file, or choose another.</source>
            <translation>ファイルの権限を確かめるか、別のものを選んでください。</translation>
        </message>
        <message>
            <source>{path} is not a GGUF model: it begins with {found}.</source>
            <translation>{path} は GGUF モデルではありません（先頭が {found}）。</translation>
        </message>
        <message>
            <source>Choose a file whose name ends in .gguf and that was downloaded whole; a web page or a pointer file saved under that name is no model.</source>
            <translation>名前が .gguf で終わり、最後までダウンロードしたファイルを選んでください。ウェブページや参照用のファイルをその名前で保存したものはモデルではありません。</translation>
        </message>
        <message>
            <source>The model file {path} is cut off: {have} of {need} bytes are there.</source>
            <translation>モデルのファイル {path} が途中で切れています（{need} バイト中 {have} バイト）。</translation>
        </message>
        <message>
            <source>Download it again; the first part is good, the rest is missing.</source>
            <translation>もう一度ダウンロードしてください。前半は正しく、残りがありません。</translation>
        </message>
        <message>
            <source>The header of the model file {path} is damaged: {detail}.</source>
            <translation>モデルのファイル {path} の見出し部分が壊れています：{detail}。</translation>
        </message>
        <message>
            <source>Download the file again.</source>
            <translation>ファイルをもう一度ダウンロードしてください。</translation>
        </message>
        <message>
            <source>This engine cannot run the model {path}: {detail}.</source>
            <translation>このエンジンはモデル {path} を動かせません：{detail}。</translation>
        </message>
        <message>
            <source>The model loaded before was unloaded; your conversations are untouched.</source>
            <translation>前のモデルは外しました。会話はそのままです。</translation>
        </message>
        <message>
            <source>Choose another model, or a newer version of the app.</source>
            <translation>別のモデルか、新しい版のアプリを使ってください。</translation>
        </message>
        <message>
            <source>The model needs about {need_mb} MB of memory; {free_mb} MB are free.</source>
            <translation>このモデルには約 {need_mb} MB のメモリが必要ですが、空きは {free_mb} MB です。</translation>
        </message>
        <message>
            <source>The model was not loaded; your conversations are untouched.</source>
            <translation>モデルは読み込んでいません。会話はそのままです。</translation>
        </message>
        <message>
            <source>Close other programs, choose a smaller model, or a smaller window.</source>
            <translation>ほかのプログラムを閉じるか、もっと小さいモデルか小さい枠を選んでください。</translation>
        </message>
        <message>
            <source>Loading the model was stopped.</source>
            <translation>モデルの読み込みを止めました。</translation>
        </message>
        <message>
            <source>Your conversations are untouched.</source>
            <translation>会話はそのままです。</translation>
        </message>
        <message>
            <source>Choose a model when you are ready.</source>
            <translation>よいときにモデルを選んでください。</translation>
        </message>
        <message>
            <source>There is no chat template named {name}.</source>
            <translation>{name} というチャットの書式はありません。</translation>
        </message>
        <message>
            <source>The template in use stays.</source>
            <translation>いまの書式のままです。</translation>
        </message>
        <message>
            <source>Known names: {known}.</source>
            <translation>使える名前：{known}。</translation>
        </message>
        <message>
            <source>The starter model could not be fetched: {detail}.</source>
            <translation>お試しモデルを取得できませんでした：{detail}。</translation>
        </message>
        <message>
            <source>Nothing was installed.</source>
            <translation>何も入れていません。</translation>
        </message>
        <message>
            <source>Check the connection and run the command again, or choose a GGUF file you have.</source>
            <translation>接続を確かめてもう一度試すか、手元の GGUF ファイルを選んでください。</translation>
        </message>
        <message>
            <source>Kotonia is already open with the data folder {path}.</source>
            <translation>データフォルダー {path} は、すでに別の Kotonia で開いています。</translation>
        </message>
        <message>
            <source>Use the open window, close it first, or name another folder: kotonia --data-dir FOLDER.</source>
            <translation>開いているウィンドウを使うか、先に閉じるか、別のフォルダーを指定してください：kotonia --data-dir フォルダー。</translation>
        </message>
        <message>
            <source>The data in {path} was written by a newer version ({found}; this one knows {known}).</source>
            <translation>{path} のデータは新しい版のもの（{found}。この版は {known} まで）です。</translation>
        </message>
        <message>
            <source>The file was not touched.</source>
            <translation>ファイルには手を付けていません。</translation>
        </message>
        <message>
            <source>Install the newer version again, or use another data folder.</source>
            <translation>新しい版を入れ直すか、別のデータフォルダーを使ってください。</translation>
        </message>
        <message>
            <source>The data file {path} is damaged ({detail}).</source>
            <translation>データファイル {path} が壊れています（{detail}）。</translation>
        </message>
        <message>
            <source>Copy the data folder to a safe place; then open an older copy of the folder.</source>
            <translation>データフォルダーを安全な場所に写してから、古い控えを開いてください。</translation>
        </message>
        <message>
            <source>The file {path} is a database of another program.</source>
            <translation>ファイル {path} は別のプログラムのデータベースです。</translation>
        </message>
        <message>
            <source>Choose another data folder.</source>
            <translation>別のデータフォルダーを選んでください。</translation>
        </message>
        <message>
            <source>The disk is full: {path} could not be written.</source>
            <translation>ディスクがいっぱいで、{path} に書けませんでした。</translation>
        </message>
        <message>
            <source>All that was saved before is intact; your text is still in the composer.</source>
            <translation>それまでに保存したものは無事です。文は入力欄に残っています。</translation>
        </message>
        <message>
            <source>Free some space, then send again.</source>
            <translation>空きを作ってから、もう一度送ってください。</translation>
        </message>
        <message>
            <source>{path} could not be written ({detail}).</source>
            <translation>{path} に書けませんでした（{detail}）。</translation>
        </message>
        <message>
            <source>Check the disk and the folder's permissions, then try again.</source>
            <translation>ディスクとフォルダーの権限を確かめて、もう一度試してください。</translation>
        </message>
        <message>
            <source>The database library is too old ({found}; {need} is needed): it can damage the data.</source>
            <translation>データベースのライブラリーが古く（{found}。{need} が必要）、データを壊すおそれがあります。</translation>
        </message>
        <message>
            <source>The data was not opened.</source>
            <translation>データは開いていません。</translation>
        </message>
        <message>
            <source>Install the app again: python3 packaging/setup.py run.</source>
            <translation>アプリを入れ直してください：python3 packaging/setup.py run。</translation>
        </message>
        <message>
            <source>There is no {what} {key}.</source>
            <translation>{what} {key} はありません。</translation>
        </message>
        <message>
            <source>Choose one from the list.</source>
            <translation>一覧から選んでください。</translation>
        </message>
        <message>
            <source>{name} could not be imported: {detail}.</source>
            <translation>{name} を取り込めませんでした：{detail}。</translation>
        </message>
        <message>
            <source>Nothing was imported; the library is as it was.</source>
            <translation>何も取り込んでいません。ライブラリーは元のままです。</translation>
        </message>
        <message>
            <source>Check that the file is whole; supported are cards (PNG, JSON; V1, V2, V3), SillyTavern chats (JSONL) and dialogues (JSON).</source>
            <translation>ファイルが欠けていないか確かめてください。使えるのはカード（PNG、JSON。V1、V2、V3）、SillyTavern のチャット（JSONL）、対話（JSON）です。</translation>
        </message>
        <message>
            <source>{name} is too large: {what} is over the limit of {limit}.</source>
            <translation>{name} は大きすぎます：{what} が上限 {limit} を超えています。</translation>
        </message>
        <message>
            <source>Split it or remove what is not needed.</source>
            <translation>分けるか、いらないものを除いてください。</translation>
        </message>
        <message>
            <source>{name} took longer than {seconds} seconds to read.</source>
            <translation>{name} は {seconds} 秒たっても読み終わりませんでした。</translation>
        </message>
        <message>
            <source>The file is damaged or made to do harm; get it from another source.</source>
            <translation>ファイルが壊れているか、害を与えるように作られています。別のところから入手してください。</translation>
        </message>
        <message>
            <source>{value} is no valid value for {name}: {detail}.</source>
            <translation>{value} は {name} に使えません：{detail}。</translation>
        </message>
        <message>
            <source>The old value stays.</source>
            <translation>元の値のままです。</translation>
        </message>
        <message>
            <source>Give a value in the range named.</source>
            <translation>示された範囲の値にしてください。</translation>
        </message>
    </context>
    <context>
        <name>Import</name>
        <message>
            <source>Character {name} is in the library.</source>
            <translation>{name} をライブラリーに入れました。</translation>
        </message>
        <message>
            <source>The chat {name} is in the library.</source>
            <translation>チャット「{name}」を取り込みました。</translation>
        </message>
        <message>
            <source>The dialogue {name} is in the library.</source>
            <translation>対話「{name}」を取り込みました。</translation>
        </message>
        <message numerus="yes">
            <source>%n things were repaired or left out.</source>
            <translation>
                <numerusform>%n か所を直したか、省きました。</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Memory</name>
        <message>
            <source>Close the memory</source>
            <translation>記憶を閉じる</translation>
        </message>
        <message>
            <source>Story</source>
            <translation>物語</translation>
        </message>
        <message>
            <source>People</source>
            <translation>人物</translation>
        </message>
        <message>
            <source>Loose ends</source>
            <translation>気がかり</translation>
        </message>
        <message>
            <source>Kept</source>
            <translation>ピン留め</translation>
        </message>
        <message>
            <source>Log</source>
            <translation>ログ</translation>
        </message>
        <message>
            <source>Parts of the memory</source>
            <translation>記憶の項目</translation>
        </message>
        <message>
            <source>There is nothing to write yet: the newest messages always stay word for word.</source>
            <translation>まだまとめるものがありません。新しいメッセージはいつも原文のまま残ります。</translation>
        </message>
        <message>
            <source>Nothing has been forgotten. Everything so far is still in view. Older pages become chapters here when the view fills up.</source>
            <translation>まだ何も忘れていません。ここまでの会話はすべて見えています。枠がいっぱいになると、古いところから章になってここに並びます。</translation>
        </message>
        <message>
            <source>The story so far</source>
            <translation>これまでのあらすじ</translation>
        </message>
        <message>
            <source>Show less</source>
            <translation>たたむ</translation>
        </message>
        <message>
            <source>Read all</source>
            <translation>すべて読む</translation>
        </message>
        <message>
            <source>In view, word for word · {where}</source>
            <translation>原文のまま見えている範囲・{where}</translation>
        </message>
        <message>
            <source>Write a chapter now</source>
            <translation>今すぐ章をまとめる</translation>
        </message>
        <message>
            <source>What the model sees</source>
            <translation>モデルに見えているもの</translation>
        </message>
        <message>
            <source>Plain: still loaded. Dotted: new, will be read.</source>
            <translation>無地：読み込み済み。点：新しく、これから読みます。</translation>
        </message>
        <message>
            <source>Model and last reply</source>
            <translation>モデルと前の返事</translation>
        </message>
        <message>
            <source>{used} of {room} tokens used, {percent} % of the room left</source>
            <translation>{room} トークン中 {used} を使用、枠の残り {percent} %</translation>
        </message>
        <message>
            <source>No model is loaded.</source>
            <translation>モデルが読み込まれていません。</translation>
        </message>
        <message>
            <source>{story} tokens for the story, {memory} for memory work</source>
            <translation>物語に {story} トークン、記憶の作業に {memory} トークン</translation>
        </message>
        <message>
            <source>{passed} of {total} replies kept to the format</source>
            <translation>返事 {total} 件中 {passed} 件が書式どおりです</translation>
        </message>
        <message>
            <source>Change…</source>
            <translation>直す…</translation>
        </message>
        <message>
            <source>Go to message {number}</source>
            <translation>メッセージ{number}へ</translation>
        </message>
        <message>
            <source>Hides its sentences</source>
            <translation>文をしまう</translation>
        </message>
        <message>
            <source>Shows its sentences</source>
            <translation>文を見る</translation>
        </message>
        <message>
            <source>not in use</source>
            <translation>使っていません</translation>
        </message>
        <message>
            <source>Where from</source>
            <translation>出どころ</translation>
        </message>
        <message>
            <source>Where from: show it in the log</source>
            <translation>出どころ：ログで見る</translation>
        </message>
        <message>
            <source>Go to {where}</source>
            <translation>{where}へ</translation>
        </message>
        <message>
            <source>Rename</source>
            <translation>名前を変える</translation>
        </message>
        <message>
            <source>Title of {chapter}</source>
            <translation>{chapter}の題名</translation>
        </message>
        <message>
            <source>No chapter has been written yet.</source>
            <translation>まだ章はありません。</translation>
        </message>
        <message>
            <source>nothing was written</source>
            <translation>何も書かれませんでした</translation>
        </message>
        <message>
            <source>it was cut off</source>
            <translation>途中で切れました</translation>
        </message>
        <message>
            <source>the model declined</source>
            <translation>モデルが断りました</translation>
        </message>
        <message>
            <source>it went on with the story</source>
            <translation>物語の続きを書きました</translation>
        </message>
        <message>
            <source>it was copied from the messages</source>
            <translation>メッセージの写しでした</translation>
        </message>
        <message>
            <source>it repeated itself</source>
            <translation>同じ言葉の繰り返しでした</translation>
        </message>
        <message>
            <source>it was in another language</source>
            <translation>別の言語でした</translation>
        </message>
        <message>
            <source>nothing of it stands in the messages</source>
            <translation>メッセージにないことが書かれていました</translation>
        </message>
        <message>
            <source>it was longer than what it stands for</source>
            <translation>元より長くなりました</translation>
        </message>
        <message>
            <source>the engine could not write it</source>
            <translation>エンジンが書けませんでした</translation>
        </message>
        <message>
            <source>being written</source>
            <translation>まとめています</translation>
        </message>
        <message>
            <source>written, not in use yet</source>
            <translation>まとめました（まだ使っていません）</translation>
        </message>
        <message>
            <source>chosen by you</source>
            <translation>あなたが選んだもの</translation>
        </message>
        <message>
            <source>chosen by the model</source>
            <translation>モデルが選んだもの</translation>
        </message>
        <message>
            <source>its message was changed since</source>
            <translation>元のメッセージはその後変わりました</translation>
        </message>
        <message>
            <source>in use</source>
            <translation>使用中</translation>
        </message>
        <message>
            <source>Keep no longer</source>
            <translation>ピン留めを外す</translation>
        </message>
        <message>
            <source>No line is kept yet. “Keep” under a message keeps it word for word.</source>
            <translation>ピン留めした言葉はまだありません。メッセージの「⋯」から一字一句そのまま残せます。</translation>
        </message>
        <message>
            <source>not written; it will be tried again</source>
            <translation>まとめられませんでした。あとでもう一度試します</translation>
        </message>
        <message>
            <source>interrupted; it will be written later</source>
            <translation>中断しました。あとでまとめます</translation>
        </message>
        <message>
            <source>the room filled up</source>
            <translation>枠がいっぱいになったため</translation>
        </message>
        <message>
            <source>the messages were out of sight</source>
            <translation>見えなくなったメッセージのため</translation>
        </message>
        <message>
            <source>you ended the chapter there</source>
            <translation>章の区切りを決めたため</translation>
        </message>
        <message>
            <source>you asked for it</source>
            <translation>ご希望により</translation>
        </message>
        <message>
            <source>it was to be written anew</source>
            <translation>書き直すことになったため</translation>
        </message>
        <message>
            <source>four chapters became one part</source>
            <translation>四つの章を一つの部に</translation>
        </message>
        <message>
            <source>New version</source>
            <translation>新しい版</translation>
        </message>
        <message>
            <source>ended by the model</source>
            <translation>モデルが書き終えました</translation>
        </message>
        <message>
            <source>ended by its length</source>
            <translation>長さの上限で終わりました</translation>
        </message>
        <message>
            <source>ended by the window</source>
            <translation>枠の終わりで止まりました</translation>
        </message>
        <message>
            <source>given up</source>
            <translation>取りやめました</translation>
        </message>
        <message>
            <source>interrupted</source>
            <translation>中断しました</translation>
        </message>
        <message>
            <source>ended by an error</source>
            <translation>エラーで終わりました</translation>
        </message>
        <message>
            <source>Chapters are being written now.</source>
            <translation>いま章をまとめています。</translation>
        </message>
        <message>
            <source>It is written in the next quiet moment.</source>
            <translation>静かになったらまとめます。</translation>
        </message>
        <message>
            <source>It is written once a model is loaded.</source>
            <translation>モデルを読み込むとまとめます。</translation>
        </message>
        <message>
            <source>The last attempt failed. It is tried again after the next turn.</source>
            <translation>前回はまとめられませんでした。次のやりとりのあとでもう一度試します。</translation>
        </message>
        <message>
            <source>The window is the one that was asked for.</source>
            <translation>ウィンドウは設定で指定された大きさです。</translation>
        </message>
        <message>
            <source>The window is all that the model was trained for.</source>
            <translation>ウィンドウはモデルが学習した上限の大きさです。</translation>
        </message>
        <message>
            <source>A larger window would take more time and memory for little.</source>
            <translation>これより大きなウィンドウは、時間とメモリのわりに得るものがほとんどありません。</translation>
        </message>
        <message>
            <source>A larger window does not fit into this computer's memory.</source>
            <translation>これより大きなウィンドウは、このコンピューターのメモリに収まりません。</translation>
        </message>
        <message>
            <source>writing chapter {number}…</source>
            <translation>第{number}章をまとめています…</translation>
        </message>
        <message>
            <source>merging four chapters into a part…</source>
            <translation>四つの章を一つの部にまとめています…</translation>
        </message>
        <message>
            <source>noting facts and loose ends…</source>
            <translation>事実と気がかりを書き留めています…</translation>
        </message>
        <message>
            <source>the chapters are moving into the memory…</source>
            <translation>章を記憶に移しています…</translation>
        </message>
        <message>
            <source>no model is loaded</source>
            <translation>モデルが読み込まれていません</translation>
        </message>
        <message>
            <source>a chapter could not be written; it will be tried again</source>
            <translation>章をまとめられませんでした。あとでもう一度試します</translation>
        </message>
        <message numerus="yes">
            <source>%n chapters to write, waiting for a quiet moment</source>
            <translation>
                <numerusform>%n章ぶん、静かになるのを待っています</numerusform>
            </translation>
        </message>
        <message>
            <source>chapters are ready, waiting for a quiet moment</source>
            <translation>章ができました。静かになるのを待っています</translation>
        </message>
        <message>
            <source>up to date</source>
            <translation>最新</translation>
        </message>
        <message>
            <source>up to date · #{newest}</source>
            <translation>最新・#{newest}</translation>
        </message>
        <message>
            <source>Part {number}</source>
            <translation>第{number}部</translation>
        </message>
        <message>
            <source>Chapter {number}</source>
            <translation>第{number}章</translation>
        </message>
        <message>
            <source>{chapter} — stands for {where}</source>
            <translation>{chapter} — {where}の代わり</translation>
        </message>
        <message>
            <source>Written by {model}</source>
            <translation>{model}がまとめました</translation>
        </message>
        <message>
            <source>Quoted, not yet retold</source>
            <translation>抜き書き（まだ言い直していません）</translation>
        </message>
        <message>
            <source>First sentences</source>
            <translation>最初の文</translation>
        </message>
        <message>
            <source>{seconds} s</source>
            <translation>{seconds}秒</translation>
        </message>
        <message numerus="yes">
            <source>%n attempts were not kept</source>
            <translation>
                <numerusform>%n回ぶんは保存しませんでした</numerusform>
            </translation>
        </message>
        <message>
            <source>One of {where} was changed after this was written</source>
            <translation>{where}のどれかがこのあとで書き換えられました</translation>
        </message>
        <message>
            <source>{where} was changed after this was written</source>
            <translation>{where}がこのあとで書き換えられました</translation>
        </message>
        <message>
            <source>Begun {when}: {why}</source>
            <translation>{when} 開始：{why}</translation>
        </message>
        <message>
            <source>No model was asked: whole lines were picked.</source>
            <translation>モデルには頼まず、元の行をそのまま抜き書きしました。</translation>
        </message>
        <message>
            <source>{model} was asked, in wording {version}</source>
            <translation>{model}に依頼（文面 {version}）</translation>
        </message>
        <message>
            <source>Attempt {number}: kept</source>
            <translation>{number}回目：保存しました</translation>
        </message>
        <message>
            <source>Attempt {number}: not kept, {why}</source>
            <translation>{number}回目：保存しませんでした（{why}）</translation>
        </message>
        <message numerus="yes">
            <source>%n tokens read</source>
            <translation>
                <numerusform>%n トークン読み込み</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n tokens written</source>
            <translation>
                <numerusform>%n トークン書き出し</numerusform>
            </translation>
        </message>
        <message>
            <source>random seed {seed}</source>
            <translation>乱数シード {seed}</translation>
        </message>
        <message>
            <source>{where} is gone; the model is not shown this</source>
            <translation>{where}はもうありません。モデルには見せません</translation>
        </message>
        <message numerus="yes">
            <source>%n messages ({where}) do not fit and are out of sight until a chapter is written.</source>
            <translation>
                <numerusform>%n件（{where}）が入りきらず、章ができるまで見えていません。</numerusform>
            </translation>
        </message>
        <message>
            <source>Chapter</source>
            <translation>章</translation>
        </message>
        <message>
            <source>Part</source>
            <translation>部</translation>
        </message>
        <message>
            <source>Out of sight up to {where}</source>
            <translation>{where}まで見えなくなりました</translation>
        </message>
        <message>
            <source>they left before there was a chapter of them</source>
            <translation>章ができる前に入りきらなくなりました</translation>
        </message>
        <message>
            <source>{before} → {after} tokens</source>
            <translation>{before} → {after} トークン</translation>
        </message>
        <message numerus="yes">
            <source>%n attempts</source>
            <translation>
                <numerusform>%n回</numerusform>
            </translation>
        </message>
        <message>
            <source>A chapter is being written.</source>
            <translation>章をまとめています。</translation>
        </message>
        <message numerus="yes">
            <source>{chapter} now stands for %n messages.</source>
            <translation>
                <numerusform>{chapter}が%n件のメッセージの代わりになりました。</numerusform>
            </translation>
        </message>
        <message>
            <source>Write it now</source>
            <translation>今まとめる</translation>
        </message>
        <message>
            <source>Hides how it went</source>
            <translation>経過を隠します</translation>
        </message>
        <message>
            <source>Shows how it went</source>
            <translation>経過を表示します</translation>
        </message>
        <message>
            <source>Out of sight for now · {where}</source>
            <translation>いまは見えていません・{where}</translation>
        </message>
        <message>
            <source>Not true</source>
            <translation>ちがう</translation>
        </message>
        <message>
            <source>Only said</source>
            <translation>話しただけ</translation>
        </message>
        <message>
            <source>It is so</source>
            <translation>本当のこと</translation>
        </message>
        <message>
            <source>As it was found</source>
            <translation>見つけたときのまま</translation>
        </message>
        <message>
            <source>Edit…</source>
            <translation>直す…</translation>
        </message>
        <message>
            <source>As it was written</source>
            <translation>書かれたときのまま</translation>
        </message>
        <message>
            <source>Hide</source>
            <translation>隠す</translation>
        </message>
        <message>
            <source>Show again</source>
            <translation>また見せる</translation>
        </message>
        <message>
            <source>in your words</source>
            <translation>あなたの言葉</translation>
        </message>
        <message>
            <source>not true; the model is not shown this</source>
            <translation>ちがう。モデルには見せません</translation>
        </message>
        <message>
            <source>hidden; the model is not shown this</source>
            <translation>隠してある。モデルには見せません</translation>
        </message>
        <message>
            <source>only said</source>
            <translation>話しただけ</translation>
        </message>
        <message>
            <source>so by your word</source>
            <translation>あなたの言葉で本当</translation>
        </message>
        <message>
            <source>New words</source>
            <translation>新しい言葉</translation>
        </message>
        <message>
            <source>Open</source>
            <translation>未解決</translation>
        </message>
        <message>
            <source>Asleep</source>
            <translation>眠っている</translation>
        </message>
        <message>
            <source>Settled</source>
            <translation>片づいた</translation>
        </message>
        <message>
            <source>hidden</source>
            <translation>隠してある</translation>
        </message>
        <message>
            <source>It may be settled: {text}</source>
            <translation>片づいたかもしれません：{text}</translation>
        </message>
        <message>
            <source>Not settled after all</source>
            <translation>やはり片づいていない</translation>
        </message>
        <message>
            <source>Yes, settled</source>
            <translation>はい、片づいた</translation>
        </message>
        <message>
            <source>Not yet</source>
            <translation>まだ</translation>
        </message>
        <message>
            <source>No loose ends. What is promised, owed or looked for is kept here.</source>
            <translation>気がかりはありません。約束、借り、探し物がここに残ります。</translation>
        </message>
        <message>
            <source>Known</source>
            <translation>わかっていること</translation>
        </message>
        <message>
            <source>Your word</source>
            <translation>あなたの言葉</translation>
        </message>
        <message>
            <source>Told you</source>
            <translation>聞いた話</translation>
        </message>
        <message>
            <source>Told you, confirmed</source>
            <translation>聞いた話、裏づけあり</translation>
        </message>
        <message>
            <source>Two sides</source>
            <translation>表と裏</translation>
        </message>
        <message>
            <source>Changed</source>
            <translation>言い直し</translation>
        </message>
        <message>
            <source>Your word, corrected</source>
            <translation>あなたの言葉（訂正後）</translation>
        </message>
        <message>
            <source>Taken along</source>
            <translation>持ってきたもの</translation>
        </message>
        <message>
            <source>You said</source>
            <translation>あなたが話した</translation>
        </message>
        <message>
            <source>On the surface: {text}</source>
            <translation>表向き：{text}</translation>
        </message>
        <message>
            <source>In fact: {text}</source>
            <translation>実際は：{text}</translation>
        </message>
        <message>
            <source>First: {text}</source>
            <translation>先に：{text}</translation>
        </message>
        <message>
            <source>Then: {text}</source>
            <translation>後で：{text}</translation>
        </message>
        <message>
            <source>Place</source>
            <translation>場所</translation>
        </message>
        <message>
            <source>Time</source>
            <translation>時</translation>
        </message>
        <message>
            <source>Here</source>
            <translation>居る人</translation>
        </message>
        <message>
            <source>Worn</source>
            <translation>身なり</translation>
        </message>
        <message>
            <source>Held</source>
            <translation>手にした物</translation>
        </message>
        <message>
            <source>Ailing</source>
            <translation>体の具合</translation>
        </message>
        <message>
            <source>Now</source>
            <translation>いま</translation>
        </message>
        <message>
            <source>Now: {name}</source>
            <translation>いま：{name}</translation>
        </message>
        <message>
            <source>not said</source>
            <translation>書かれていない</translation>
        </message>
        <message>
            <source>Typed by you; it stays until you clear it.</source>
            <translation>あなたが書いたもの。消すまで残ります。</translation>
        </message>
        <message>
            <source>The story</source>
            <translation>物語</translation>
        </message>
        <message>
            <source>you</source>
            <translation>あなた</translation>
        </message>
        <message>
            <source>Show {count} more</source>
            <translation>あと{count}件を表示</translation>
        </message>
        <message>
            <source>{count} hidden · Reveal</source>
            <translation>伏せた覚え書き {count}件・見る</translation>
        </message>
        <message>
            <source>Nothing is noted yet. When older pages become chapters, what they say of people is here.</source>
            <translation>まだ何も書き留めていません。古いページが章になると、人物についての記述がここに並びます。</translation>
        </message>
        <message>
            <source>Add a fact…</source>
            <translation>事実を書き足す…</translation>
        </message>
        <message>
            <source>Add a fact</source>
            <translation>事実を書き足す</translation>
        </message>
    </context>
    <context>
        <name>Menu</name>
        <message>
            <source>New chat</source>
            <translation>新しい会話</translation>
        </message>
        <message>
            <source>Import a card or a chat…</source>
            <translation>カードかチャットを取り込む…</translation>
        </message>
        <message>
            <source>Search all chats</source>
            <translation>探す（すべての会話）</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>記憶</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>設定</translation>
        </message>
        <message>
            <source>Choose a model file…</source>
            <translation>モデルのファイルを選ぶ…</translation>
        </message>
        <message>
            <source>Go to the next region</source>
            <translation>次の区画へ</translation>
        </message>
        <message>
            <source>Quit</source>
            <translation>終了</translation>
        </message>
    </context>
    <context>
        <name>Models</name>
        <message>
            <source>for machines with {gb} GB of memory</source>
            <translation>メモリ {gb} GB から</translation>
        </message>
        <message>
            <source>Open its page</source>
            <translation>配布ページを開く</translation>
        </message>
        <message>
            <source>Models that write {language}</source>
            <translation>{language}を書けるモデル</translation>
        </message>
        <message>
            <source>Download a GGUF file from the model's page, then choose it here. Kotonia itself downloads nothing unless you ask.</source>
            <translation>モデルのページから GGUF ファイルをダウンロードして、ここで選んでください。Kotonia が勝手にダウンロードすることはありません。</translation>
        </message>
    </context>
    <context>
        <name>NewChat</name>
        <message>
            <source>Who would you like to meet?</source>
            <translation>だれに会いたいですか？</translation>
        </message>
        <message>
            <source>As whom?</source>
            <translation>あなたの役</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>名前</translation>
        </message>
        <message>
            <source>One line about you (if you like)</source>
            <translation>あなたについて一行（なくてもかまいません）</translation>
        </message>
        <message>
            <source>Previous opening</source>
            <translation>前の書き出し</translation>
        </message>
        <message>
            <source>Next opening</source>
            <translation>次の書き出し</translation>
        </message>
        <message>
            <source>Step inside</source>
            <translation>中へ入る</translation>
        </message>
        <message>
            <source>Bring a character…</source>
            <translation>キャラクターを連れてくる…</translation>
        </message>
        <message>
            <source>Back</source>
            <translation>戻る</translation>
        </message>
        <message>
            <source>Someone new…</source>
            <translation>新しい人物…</translation>
        </message>
        <message>
            <source>Opening {number}/{count}</source>
            <translation>書き出し {number}/{count}</translation>
        </message>
    </context>
    <context>
        <name>Prompt</name>
        <message>
            <source>not counted: no model is loaded</source>
            <translation>モデルがないので数えていません</translation>
        </message>
        <message numerus="yes">
            <source>%n tokens</source>
            <translation>
                <numerusform>%n トークン</numerusform>
            </translation>
        </message>
        <message>
            <source>still loaded</source>
            <translation>読み込み済み</translation>
        </message>
        <message>
            <source>new</source>
            <translation>新しい</translation>
        </message>
        <message>
            <source>{cached} still loaded, {new} new</source>
            <translation>{cached} は読み込み済み、{new} は新しい</translation>
        </message>
        <message>
            <source>Rules</source>
            <translation>きまり</translation>
        </message>
        <message>
            <source>Character</source>
            <translation>キャラクター</translation>
        </message>
        <message>
            <source>You</source>
            <translation>あなた</translation>
        </message>
        <message>
            <source>Lorebook</source>
            <translation>ロアブック</translation>
        </message>
        <message>
            <source>Examples</source>
            <translation>例文</translation>
        </message>
        <message>
            <source>What is remembered</source>
            <translation>覚えていること</translation>
        </message>
        <message>
            <source>Opening line</source>
            <translation>始まりの一行</translation>
        </message>
        <message>
            <source>Messages, word for word</source>
            <translation>会話（原文のまま）</translation>
        </message>
        <message>
            <source>Note to this message</source>
            <translation>この文への添え書き</translation>
        </message>
        <message>
            <source>Room for the reply</source>
            <translation>返事のための余白</translation>
        </message>
    </context>
    <context>
        <name>Settings</name>
        <message>
            <source>No model is chosen.</source>
            <translation>モデルが選ばれていません。</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>設定</translation>
        </message>
        <message>
            <source>Close the settings</source>
            <translation>設定を閉じる</translation>
        </message>
        <message>
            <source>Choose a model file…</source>
            <translation>モデルのファイルを選ぶ…</translation>
        </message>
        <message>
            <source>Use the tiny test voice</source>
            <translation>小さなお試しモデルを使う</translation>
        </message>
        <message>
            <source>Load again</source>
            <translation>読み込み直す</translation>
        </message>
        <message>
            <source>As the model's author advises</source>
            <translation>モデル作者のすすめ</translation>
        </message>
        <message>
            <source>Steady</source>
            <translation>落ち着いた</translation>
        </message>
        <message>
            <source>Lively</source>
            <translation>生き生き</translation>
        </message>
        <message>
            <source>Language</source>
            <translation>言語</translation>
        </message>
        <message>
            <source>The language of the window. Empty: the system's.</source>
            <translation>ウィンドウの言語。選ばなければシステムと同じです。</translation>
        </message>
        <message>
            <source>Theme</source>
            <translation>テーマ</translation>
        </message>
        <message>
            <source>Light or dark page.</source>
            <translation>明るいページか、暗いページか。</translation>
        </message>
        <message>
            <source>Send with</source>
            <translation>送信キー</translation>
        </message>
        <message>
            <source>The key that sends a message; the other one begins a new line. Empty: ask.</source>
            <translation>文を送るキー。もう一方は改行になります。未選択なら一度たずねます。</translation>
        </message>
        <message>
            <source>Text size</source>
            <translation>文字の大きさ</translation>
        </message>
        <message>
            <source>Size of the conversation's text, in percent.</source>
            <translation>会話の文字の大きさ（％）。</translation>
        </message>
        <message>
            <source>Show thoughts</source>
            <translation>心の声を見せる</translation>
        </message>
        <message>
            <source>Show what characters think without saying it.</source>
            <translation>登場人物が口にしない思いを見せます。</translation>
        </message>
        <message>
            <source>Model</source>
            <translation>モデル</translation>
        </message>
        <message>
            <source>The GGUF file that is loaded at start.</source>
            <translation>起動のとき読み込む GGUF ファイル。</translation>
        </message>
        <message>
            <source>Window</source>
            <translation>ウィンドウ</translation>
        </message>
        <message>
            <source>Tokens the model sees at once. 0: as many as fit.</source>
            <translation>モデルが一度に見る量（トークン）。0 なら入るだけ。</translation>
        </message>
        <message>
            <source>Chat template</source>
            <translation>チャットの書式</translation>
        </message>
        <message>
            <source>How turns are marked. Empty: the file's own. `completion`: plain text, for base models.</source>
            <translation>発言の区切り方。未選択ならファイルのもの。completion は区切りのない文章で、ベースモデル用です。</translation>
        </message>
        <message>
            <source>Thinking before the reply</source>
            <translation>返事の前の思考</translation>
        </message>
        <message>
            <source>For models that reason: off, a short block that is closed for them, or as long as they like.</source>
            <translation>考えてから答えるモデル用：しない、短く区切る、好きなだけ。</translation>
        </message>
        <message>
            <source>Thinking budget</source>
            <translation>思考の長さ</translation>
        </message>
        <message>
            <source>Tokens of a short thinking block.</source>
            <translation>短い思考に使うトークン数。</translation>
        </message>
        <message>
            <source>Room for what was read</source>
            <translation>読んだ内容の置き場</translation>
        </message>
        <message>
            <source>MiB of disk for what the model has read of conversations, so that opening one takes no time. It holds their content, for your account alone. 0: keep nothing.</source>
            <translation>モデルが会話から読んだ内容をディスクに置ける量（MiB）。会話を開くときに待たずにすみます。中身は会話そのもので、あなたのアカウントだけが読めます。0：何も置きません。</translation>
        </message>
        <message>
            <source>Don't play me</source>
            <translation>わたしを演じない</translation>
        </message>
        <message>
            <source>A reply ends before the first line that speaks or acts as you; what was cut can be shown.</source>
            <translation>あなたとして話したり動いたりする行の手前で返事を終えます。切った部分は見られます。</translation>
        </message>
        <message>
            <source>Quiet before a chapter</source>
            <translation>章をまとめるまでの静かな時間</translation>
        </message>
        <message>
            <source>Seconds without typing, scrolling or a reply before old messages are written into memory. It shrinks to 0 as the room fills.</source>
            <translation>古いメッセージを記憶にまとめるまで、入力・スクロール・返事のない秒数。枠が埋まるにつれて0に近づきます。</translation>
        </message>
        <message>
            <source>Bring back old lines</source>
            <translation>古いやりとりを呼び戻す</translation>
        </message>
        <message>
            <source>Old lines that a message calls for are shown to the model again, word for word, before that message: at most 350 tokens, in at most one turn of four unless you ask.</source>
            <translation>メッセージに関わる古い行を、一字一句そのまま、そのメッセージの前でもう一度モデルに見せます。最大350トークン。尋ねたときを除き、4回に1回まで。</translation>
        </message>
        <message>
            <source>Reply length</source>
            <translation>返事の長さ</translation>
        </message>
        <message>
            <source>Most tokens of one reply.</source>
            <translation>一つの返事の最大トークン数。</translation>
        </message>
        <message>
            <source>Tidy endings</source>
            <translation>きりよく終える</translation>
        </message>
        <message>
            <source>A reply near its length ends with its sentence instead of in the middle of one.</source>
            <translation>長さの上限に近づいたら、文の途中ではなく切れ目で終えます。</translation>
        </message>
        <message>
            <source>Temperature</source>
            <translation>温度</translation>
        </message>
        <message>
            <source>How freely the model chooses. 0: always the likeliest. -1: what the model's author advises.</source>
            <translation>言葉を選ぶ自由さ。0 はいつも最有力、-1 はモデル作者のすすめ。</translation>
        </message>
        <message>
            <source>Top k</source>
            <translation>Top k</translation>
        </message>
        <message>
            <source>Choose among the k likeliest only. 0: off. -1: advised.</source>
            <translation>有力な k 個から選びます。0 は使わない、-1 はすすめ。</translation>
        </message>
        <message>
            <source>Top p</source>
            <translation>Top p</translation>
        </message>
        <message>
            <source>Choose among the likeliest that make up this share. 1: off. -1: advised.</source>
            <translation>合わせてこの割合になる有力なものから選びます。1 は使わない、-1 はすすめ。</translation>
        </message>
        <message>
            <source>Min p</source>
            <translation>Min p</translation>
        </message>
        <message>
            <source>Leave out what is less likely than this share of the likeliest. 0: off. -1: advised.</source>
            <translation>最有力のこの割合に届かないものを除きます。0 は使わない、-1 はすすめ。</translation>
        </message>
        <message>
            <source>Repetition penalty</source>
            <translation>くり返しの抑制</translation>
        </message>
        <message>
            <source>Discourages words of the character's own recent replies. 1: off. -1: advised.</source>
            <translation>そのキャラクターの最近の返事に出た語を控えます。1 は使わない、-1 はすすめ。</translation>
        </message>
        <message>
            <source>Presence penalty</source>
            <translation>既出の抑制</translation>
        </message>
        <message>
            <source>Discourages any word used already.</source>
            <translation>一度使った語を控えます。</translation>
        </message>
        <message>
            <source>Frequency penalty</source>
            <translation>頻度の抑制</translation>
        </message>
        <message>
            <source>Discourages words by how often they were used.</source>
            <translation>使った回数に応じて語を控えます。</translation>
        </message>
        <message>
            <source>DRY</source>
            <translation>DRY</translation>
        </message>
        <message>
            <source>Discourages repeating whole phrases. 0: off.</source>
            <translation>言い回しのくり返しを控えます。0 は使わない。</translation>
        </message>
        <message>
            <source>XTC probability</source>
            <translation>XTC の確率</translation>
        </message>
        <message>
            <source>How often the likeliest choices are left out. 0: off.</source>
            <translation>最有力の候補をどのくらい外すか。0 は使わない。</translation>
        </message>
        <message>
            <source>XTC threshold</source>
            <translation>XTC のしきい値</translation>
        </message>
        <message>
            <source>From which likelihood XTC leaves out.</source>
            <translation>XTC が外し始める確からしさ。</translation>
        </message>
        <message>
            <source>Random seed</source>
            <translation>乱数の種</translation>
        </message>
        <message>
            <source>-1: a new one for each reply.</source>
            <translation>-1 なら返事ごとに変えます。</translation>
        </message>
        <message>
            <source>Stop strings</source>
            <translation>停止の文字列</translation>
        </message>
        <message>
            <source>A reply ends before any of these; one a line.</source>
            <translation>これらの手前で返事を終えます。一行に一つ。</translation>
        </message>
        <message>
            <source>As the system</source>
            <translation>システムと同じ</translation>
        </message>
        <message>
            <source>Light</source>
            <translation>明るい</translation>
        </message>
        <message>
            <source>Dark</source>
            <translation>暗い</translation>
        </message>
        <message>
            <source>Ask</source>
            <translation>たずねる</translation>
        </message>
        <message>
            <source>Enter</source>
            <translation>Enter</translation>
        </message>
        <message>
            <source>Ctrl+Enter</source>
            <translation>Ctrl+Enter</translation>
        </message>
        <message>
            <source>Off</source>
            <translation>しない</translation>
        </message>
        <message>
            <source>Short</source>
            <translation>短く</translation>
        </message>
        <message>
            <source>Free</source>
            <translation>好きなだけ</translation>
        </message>
        <message>
            <source>The file's own</source>
            <translation>ファイルのもの</translation>
        </message>
        <message>
            <source>Plain text (base models)</source>
            <translation>区切りなし（ベースモデル）</translation>
        </message>
        <message>
            <source>Conversation</source>
            <translation>会話</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>記憶</translation>
        </message>
        <message>
            <source>Replies</source>
            <translation>返事</translation>
        </message>
        <message>
            <source>How words are chosen</source>
            <translation>言葉の選び方</translation>
        </message>
    </context>
    <context>
        <name>Sidebar</name>
        <message>
            <source>Search all chats</source>
            <translation>探す（すべての会話）</translation>
        </message>
        <message>
            <source>New chat</source>
            <translation>新しい会話</translation>
        </message>
        <message>
            <source>Menu</source>
            <translation>メニュー</translation>
        </message>
        <message>
            <source>Conversations</source>
            <translation>会話</translation>
        </message>
        <message>
            <source>Characters</source>
            <translation>キャラクター</translation>
        </message>
        <message>
            <source>Title of the conversation</source>
            <translation>会話の題</translation>
        </message>
        <message>
            <source>Nothing found.</source>
            <translation>見つかりませんでした。</translation>
        </message>
        <message>
            <source>Rename</source>
            <translation>題を変える</translation>
        </message>
        <message>
            <source>Remove from the list</source>
            <translation>一覧から外す</translation>
        </message>
    </context>
    <context>
        <name>Start</name>
        <message>
            <source>Stories that remember.</source>
            <translation>記憶する物語を。</translation>
        </message>
        <message>
            <source>A model on this computer plays the character. Nothing you write leaves it.</source>
            <translation>このコンピューターの中のモデルがキャラクターを演じます。書いたものが外に出ることはありません。</translation>
        </message>
        <message>
            <source>Begin with the tiny test voice</source>
            <translation>小さなお試しモデルで始める</translation>
        </message>
        <message>
            <source>Fetch the tiny test voice (98 MB)</source>
            <translation>小さなお試しモデルを取得（98 MB）</translation>
        </message>
        <message>
            <source>The tiny test voice speaks English only and writes simply. It is there to try the app; choose a larger model for real stories.</source>
            <translation>お試しモデルは英語しか書けず、文章も簡単です。アプリを試すためのもので、日本語の物語には下のような大きなモデルを選んでください。</translation>
        </message>
        <message>
            <source>I have a model file…</source>
            <translation>モデルのファイルがあります…</translation>
        </message>
        <message>
            <source>Which models are good?</source>
            <translation>どのモデルがよい？</translation>
        </message>
        <message>
            <source>Look around first</source>
            <translation>先に中を見てみる</translation>
        </message>
        <message>
            <source>Who would you like to meet?</source>
            <translation>だれに会いたいですか？</translation>
        </message>
        <message>
            <source>Go on</source>
            <translation>次へ</translation>
        </message>
        <message>
            <source>Bring your own character…</source>
            <translation>自分のキャラクターを連れてくる…</translation>
        </message>
        <message>
            <source>And who are you?</source>
            <translation>あなたは、どなたですか？</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>名前</translation>
        </message>
        <message>
            <source>One line about you (if you like)</source>
            <translation>あなたについて一行（なくてもかまいません）</translation>
        </message>
        <message>
            <source>Step inside</source>
            <translation>中へ入る</translation>
        </message>
        <message>
            <source>{name} speaks a language that the tiny test voice cannot write. Choose a larger model for this character.</source>
            <translation>{name}の話す言葉を、お試しモデルは書けません。このキャラクターには大きなモデルを選んでください。</translation>
        </message>
    </context>
    <context>
        <name>Starters</name>
        <message>
            <source>A lost property office, ten minutes before closing.</source>
            <translation>閉まる十分前の遺失物取扱所。</translation>
        </message>
        <message>
            <source>A café with three tables, on a day of rain.</source>
            <translation>雨の日の喫茶店。</translation>
        </message>
        <message>
            <source>A letter writer at a river crossing.</source>
            <translation>渡し場の代筆屋さん。</translation>
        </message>
    </context>
    <context>
        <name>Status</name>
        <message>
            <source>No model</source>
            <translation>モデルなし</translation>
        </message>
        <message>
            <source>{speed} tokens/s</source>
            <translation>毎秒 {speed} トークン</translation>
        </message>
        <message>
            <source>Model: {name}</source>
            <translation>モデル：{name}</translation>
        </message>
        <message>
            <source>Loading the model</source>
            <translation>モデルを読み込んでいます</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>やめる</translation>
        </message>
        <message>
            <source>Stop loading the model</source>
            <translation>モデルの読み込みをやめる</translation>
        </message>
        <message>
            <source>Fetching the starter model</source>
            <translation>お試しモデルを取得しています</translation>
        </message>
        <message>
            <source>Loading the model, {percent} %</source>
            <translation>モデルを読み込んでいます {percent} %</translation>
        </message>
        <message>
            <source>The engine stopped; the next message starts it again</source>
            <translation>エンジンが止まりました。次に送ると起動し直します</translation>
        </message>
        <message>
            <source>Choose a model to be answered</source>
            <translation>返事をもらうにはモデルを選んでください</translation>
        </message>
        <message>
            <source>Ready</source>
            <translation>準備ができました</translation>
        </message>
        <message>
            <source>Memory is up to date</source>
            <translation>記憶は最新です</translation>
        </message>
        <message numerus="yes">
            <source>%n messages are out of sight until a chapter is written</source>
            <translation>
                <numerusform>%n件は章ができるまで見えていません</numerusform>
            </translation>
        </message>
        <message>
            <source>Room left</source>
            <translation>残り枠</translation>
        </message>
        <message>
            <source>{percent} percent of the room is left</source>
            <translation>枠は残り {percent} パーセントです</translation>
        </message>
        <message>
            <source>{used} of {room} tokens used</source>
            <translation>{room} トークン中 {used} を使用</translation>
        </message>
        <message>
            <source>Last reply: {speed} tokens/s, {reread} tokens read again</source>
            <translation>前の返事：毎秒 {speed} トークン、読み直し {reread} トークン</translation>
        </message>
    </context>
    <context>
        <name>Template</name>
        <message>
            <source>none in the file</source>
            <translation>ファイルにありません</translation>
        </message>
        <message>
            <source>the file's own cannot be read</source>
            <translation>ファイルのものは読めません</translation>
        </message>
        <message>
            <source>the file's own rewrites earlier turns</source>
            <translation>ファイルのものは前の発言を書き換えます</translation>
        </message>
        <message>
            <source>the file's own renders turns differently in different places</source>
            <translation>ファイルのものは場所によって区切り方が変わります</translation>
        </message>
        <message>
            <source>the file's own refuses an order of turns we need</source>
            <translation>ファイルのものは必要な順の発言を受け付けません</translation>
        </message>
        <message>
            <source>the file's own knows no roles</source>
            <translation>ファイルのものには役の区別がありません</translation>
        </message>
        <message>
            <source>the file's own takes too long</source>
            <translation>ファイルのものは時間がかかりすぎます</translation>
        </message>
        <message>
            <source>the file's own tries what it may not</source>
            <translation>ファイルのものは許されないことをしようとします</translation>
        </message>
        <message>
            <source>the file's own writes too much</source>
            <translation>ファイルのものは書きすぎます</translation>
        </message>
        <message>
            <source>Template: from the file, adapted</source>
            <translation>書式：ファイルのものを調整して使用</translation>
        </message>
        <message>
            <source>Template: from the file, checked</source>
            <translation>書式：ファイルのもの、確認済み</translation>
        </message>
        <message>
            <source>Template: plain text, without roles</source>
            <translation>書式：区切りのない文章</translation>
        </message>
        <message>
            <source>Template: {name}, chosen by you</source>
            <translation>書式：{name}（あなたの選択）</translation>
        </message>
        <message>
            <source>Template: {reason}; using {name}</source>
            <translation>書式：{reason}。{name} を使います</translation>
        </message>
    </context>
    <context>
        <name>Time</name>
        <message>
            <source>just now</source>
            <translation>たったいま</translation>
        </message>
        <message numerus="yes">
            <source>%n min ago</source>
            <translation>
                <numerusform>%n分前</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Transcript</name>
        <message>
            <source>{name} is writing</source>
            <translation>{name}が書いています</translation>
        </message>
        <message>
            <source>Reading back, {percent} %</source>
            <translation>読み返しています {percent} %</translation>
        </message>
        <message>
            <source>{name} is thinking it over</source>
            <translation>{name}が考えています</translation>
        </message>
        <message>
            <source>Conversation</source>
            <translation>会話</translation>
        </message>
        <message>
            <source>To the newest</source>
            <translation>最新の文へ</translation>
        </message>
        <message>
            <source>New text ↓</source>
            <translation>続きがあります ↓</translation>
        </message>
        <message>
            <source>Go to the new text</source>
            <translation>新しいところへ</translation>
        </message>
        <message>
            <source>Stopped while thinking</source>
            <translation>考えている途中で止まりました</translation>
        </message>
        <message>
            <source>Stopped before it spoke for you</source>
            <translation>あなたの代わりに話す手前で止めました</translation>
        </message>
        <message>
            <source>Reached its length</source>
            <translation>長さの上限まで書きました</translation>
        </message>
        <message>
            <source>No room left in the model's view</source>
            <translation>枠がいっぱいになりました</translation>
        </message>
        <message>
            <source>Stopped by you</source>
            <translation>あなたが止めました</translation>
        </message>
        <message>
            <source>Interrupted; what was written is kept</source>
            <translation>途中で切れました。書かれた分は残っています</translation>
        </message>
        <message>
            <source>Ended by an error; what was written is kept</source>
            <translation>エラーで終わりました。書かれた分は残っています</translation>
        </message>
        <message>
            <source>Considered first</source>
            <translation>考えてから書きました</translation>
        </message>
        <message>
            <source>Considered for {seconds} s</source>
            <translation>{seconds} 秒考えました</translation>
        </message>
        <message>
            <source>{name}, message {number}.</source>
            <translation>{name}、{number} 番目。</translation>
        </message>
        <message>
            <source>Thinks: {text}</source>
            <translation>心の声：{text}</translation>
        </message>
        <message>
            <source>Out of character: {text}</source>
            <translation>役を離れて：{text}</translation>
        </message>
        <message>
            <source>Off the record: the model does not see this</source>
            <translation>記録に残さない：モデルには見えません</translation>
        </message>
        <message>
            <source>The chapter ends here</source>
            <translation>ここで章が終わります</translation>
        </message>
        <message>
            <source>Alternate {index}/{count}</source>
            <translation>別案 {index}/{count}</translation>
        </message>
        <message>
            <source>out of character</source>
            <translation>役を離れて</translation>
        </message>
        <message>
            <source>hide</source>
            <translation>隠す</translation>
        </message>
        <message>
            <source>show</source>
            <translation>見る</translation>
        </message>
        <message>
            <source>Save</source>
            <translation>保存</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>やめる</translation>
        </message>
        <message>
            <source>Ctrl+Enter saves, Esc leaves it as it was</source>
            <translation>Ctrl+Enter で保存、Esc で元のまま</translation>
        </message>
        <message>
            <source>Edit this message</source>
            <translation>この文を直す</translation>
        </message>
        <message>
            <source>Previous alternate</source>
            <translation>前の別案</translation>
        </message>
        <message>
            <source>Previous alternate (←)</source>
            <translation>前の別案（←）</translation>
        </message>
        <message>
            <source>Next alternate</source>
            <translation>次の別案</translation>
        </message>
        <message>
            <source>Next alternate (→)</source>
            <translation>次の別案（→）</translation>
        </message>
        <message>
            <source>Another version (Ctrl+R); this one is kept</source>
            <translation>書き直す（Ctrl+R）。これも残ります</translation>
        </message>
        <message>
            <source>Continue</source>
            <translation>続ける</translation>
        </message>
        <message>
            <source>More for this message</source>
            <translation>この文のその他</translation>
        </message>
        <message>
            <source>Edit</source>
            <translation>直す</translation>
        </message>
        <message>
            <source>Copy</source>
            <translation>写す</translation>
        </message>
        <message>
            <source>Another version</source>
            <translation>書き直す</translation>
        </message>
        <message>
            <source>Show or hide what was cut</source>
            <translation>切った部分を見る・隠す</translation>
        </message>
        <message>
            <source>Show or hide what was considered</source>
            <translation>考えたことを見る・隠す</translation>
        </message>
        <message>
            <source>Off the record</source>
            <translation>記録に残さない</translation>
        </message>
        <message>
            <source>On the record again</source>
            <translation>記録に戻す</translation>
        </message>
        <message>
            <source>End the chapter here</source>
            <translation>ここで章を終える</translation>
        </message>
        <message>
            <source>Do not end it here</source>
            <translation>ここで終えない</translation>
        </message>
        <message>
            <source>Keep word for word</source>
            <translation>一字一句そのまま残す</translation>
        </message>
        <message>
            <source>This is a loose end</source>
            <translation>これは気がかり</translation>
        </message>
        <message>
            <source>Delete</source>
            <translation>消す</translation>
        </message>
        <message>
            <source>Delete from here on</source>
            <translation>ここから後を消す</translation>
        </message>
        <message>
            <source>Have it answered</source>
            <translation>返事をもらう</translation>
        </message>
    </context>
    <context>
        <name>Window</name>
        <message>
            <source>{character} and you ({persona})</source>
            <translation>{character}とあなた（{persona}）</translation>
        </message>
        <message numerus="yes">
            <source>%n messages</source>
            <translation>
                <numerusform>%n 件</numerusform>
            </translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>記憶</translation>
        </message>
        <message>
            <source>This conversation</source>
            <translation>この会話</translation>
        </message>
        <message>
            <source>Close this line</source>
            <translation>この行を閉じる</translation>
        </message>
        <message>
            <source>Kept. Memory shows it under “Kept”.</source>
            <translation>残しました。記憶の「ピン留め」にあります。</translation>
        </message>
        <message>
            <source>Noted. Memory shows it under “Loose ends”.</source>
            <translation>書き留めました。記憶の「気がかり」にあります。</translation>
        </message>
        <message numerus="yes">
            <source>%n messages deleted</source>
            <translation>
                <numerusform>%n 件を消しました</numerusform>
            </translation>
        </message>
        <message>
            <source>Undo</source>
            <translation>元に戻す</translation>
        </message>
        <message>
            <source>The deleted messages are back.</source>
            <translation>消した文を戻しました。</translation>
        </message>
        <message>
            <source>The text is as it was before.</source>
            <translation>文を前の形に戻しました。</translation>
        </message>
        <message>
            <source>The alternate before is shown again.</source>
            <translation>前の別案に戻しました。</translation>
        </message>
        <message>
            <source>There is nothing to undo.</source>
            <translation>戻すものはありません。</translation>
        </message>
        <message>
            <source>Show models that can</source>
            <translation>書けるモデルを見る</translation>
        </message>
        <message>
            <source>en</source>
            <translation>ja</translation>
        </message>
        <message>
            <source>This is used when the model is loaded again.</source>
            <translation>モデルを読み込み直すと使われます。</translation>
        </message>
        <message>
            <source>The conversation is off the list.</source>
            <translation>会話を一覧から外しました。</translation>
        </message>
        <message>
            <source>Choose a model file</source>
            <translation>モデルのファイルを選ぶ</translation>
        </message>
        <message>
            <source>Import a card or a chat</source>
            <translation>カードかチャットを取り込む</translation>
        </message>
        <message>
            <source>Cards and chats</source>
            <translation>カードとチャット</translation>
        </message>
        <message>
            <source>{model} cannot write {language}: {name} needs another model.</source>
            <translation>{model} は{language}を書けません。{name}には別のモデルが必要です。</translation>
        </message>
        <message>
            <source>Something in Kotonia failed. Your text is safe; what happened is in the log.</source>
            <translation>Kotonia の中で不具合が起きました。文は無事です。内容はログにあります。</translation>
        </message>
        <message>
            <source>You are</source>
            <translation>あなたの役</translation>
        </message>
        <message>
            <source>Replies are written as</source>
            <translation>返事の書き方</translation>
        </message>
        <message>
            <source>Prose</source>
            <translation>地の文</translation>
        </message>
        <message>
            <source>Script, a line for each voice</source>
            <translation>台本（声ごとに一行）</translation>
        </message>
    </context>
</TS>

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
    <context>
        <name>Composer</name>
        <message>
            <source>Write as {name}…</source>
            <translation>以 {name} 的身份写…</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>停止</translation>
        </message>
        <message>
            <source>Send</source>
            <translation>发送</translation>
        </message>
        <message>
            <source>Which key sends?</source>
            <translation>用哪个键发送？</translation>
        </message>
        <message>
            <source>Enter (Shift+Enter breaks the line)</source>
            <translation>Enter（Shift+Enter 换行）</translation>
        </message>
        <message>
            <source>Ctrl+Enter (Enter breaks the line)</source>
            <translation>Ctrl+Enter（Enter 换行）</translation>
        </message>
    </context>
    <context>
        <name>Errors</name>
        <message>
            <source>The message takes {tokens} tokens with the character's card; the window holds {window}.</source>
            <translation>这条消息连同角色卡共 {tokens} 个 token，而窗口只有 {window} 个。</translation>
        </message>
        <message>
            <source>Nothing was sent; the text is still in the composer.</source>
            <translation>没有发送任何内容；文字还在输入框里。</translation>
        </message>
        <message>
            <source>Shorten it by {over} tokens, or load the model with a larger window.</source>
            <translation>请缩短 {over} 个 token，或用更大的窗口加载模型。</translation>
        </message>
        <message>
            <source>The character's card alone takes {tokens} tokens; the window holds {window}.</source>
            <translation>角色卡本身就有 {tokens} 个 token，而窗口只有 {window} 个。</translation>
        </message>
        <message>
            <source>Nothing was sent; your text is kept.</source>
            <translation>什么都没有发送，你写的文字还在。</translation>
        </message>
        <message>
            <source>Load the model with a larger window, or choose a character with a shorter card.</source>
            <translation>请用更大的窗口重新加载模型，或选择角色卡更短的角色。</translation>
        </message>
        <message>
            <source>That cannot be done to this part of the memory: {detail}.</source>
            <translation>对记忆的这一部分不能这样做：{detail}。</translation>
        </message>
        <message>
            <source>The memory is as it was.</source>
            <translation>记忆保持原样。</translation>
        </message>
        <message>
            <source>Choose another act, or write other words.</source>
            <translation>请选择别的操作，或换别的词句。</translation>
        </message>
        <message>
            <source>The message is empty.</source>
            <translation>消息是空的。</translation>
        </message>
        <message>
            <source>Nothing was sent.</source>
            <translation>什么都没有发送。</translation>
        </message>
        <message>
            <source>Write something first.</source>
            <translation>请先写点什么。</translation>
        </message>
        <message>
            <source>There is no reply to continue.</source>
            <translation>没有可以续写的回复。</translation>
        </message>
        <message>
            <source>Nothing was changed.</source>
            <translation>什么都没有改动。</translation>
        </message>
        <message>
            <source>Send a message first.</source>
            <translation>请先发送一条消息。</translation>
        </message>
        <message>
            <source>No model is loaded.</source>
            <translation>没有加载模型。</translation>
        </message>
        <message>
            <source>Your text is kept.</source>
            <translation>你的文字已保留。</translation>
        </message>
        <message>
            <source>Choose a model, then send again.</source>
            <translation>请选择模型后再发送。</translation>
        </message>
        <message>
            <source>The engine stopped ({detail}) and was started again.</source>
            <translation>引擎停止了（{detail}），已重新启动。</translation>
        </message>
        <message>
            <source>Your text and all that was written so far are kept.</source>
            <translation>你的文字和已写出的内容都已保留。</translation>
        </message>
        <message>
            <source>Send again; if it happens again, choose a smaller window or another model.</source>
            <translation>请再发送一次；如果再次发生，请选择较小的窗口或其他模型。</translation>
        </message>
        <message>
            <source>The engine reported an error: {detail}.</source>
            <translation>引擎报告了错误：{detail}。</translation>
        </message>
        <message>
            <source>Try again; if it happens again, load the model anew.</source>
            <translation>请再试一次；如果再次发生，请重新加载模型。</translation>
        </message>
        <message>
            <source>The model computes no usable numbers (not a number).</source>
            <translation>模型算不出可用的数值。</translation>
        </message>
        <message>
            <source>What was written before is kept.</source>
            <translation>之前写出的内容已保留。</translation>
        </message>
        <message>
            <source>The model file is damaged or does not fit this engine; choose another.</source>
            <translation>模型文件已损坏或不适合这个引擎；请选择其他文件。</translation>
        </message>
        <message>
            <source>Another reply is still being written.</source>
            <translation>另一条回复还在写。</translation>
        </message>
        <message>
            <source>Wait for it or stop it, then send again.</source>
            <translation>请等它写完或停止它，然后再发送。</translation>
        </message>
        <message>
            <source>The model file {path} does not exist.</source>
            <translation>模型文件 {path} 不存在。</translation>
        </message>
        <message>
            <source>The model loaded before stays as it was.</source>
            <translation>之前加载的模型保持原样。</translation>
        </message>
        <message>
            <source>Check the drive and the name, or choose another file.</source>
            <translation>请检查磁盘和文件名，或选择其他文件。</translation>
        </message>
        <message>
            <source>The model file {path} cannot be read ({detail}).</source>
            <translation>模型文件 {path} 无法读取（{detail}）。</translation>
        </message>
        <message>
            <source>Check the permissions of the file, or choose another.</source>
            <translation>请检查文件权限，或选择其他文件。</translation>
        </message>
        <message>
            <source>{path} is not a GGUF model: it begins with {found}.</source>
            <translation>{path} 不是 GGUF 模型：开头是 {found}。</translation>
        </message>
        <message>
            <source>Choose a file whose name ends in .gguf and that was downloaded whole; a web page or a pointer file saved under that name is no model.</source>
            <translation>请选择以 .gguf 结尾且下载完整的文件；以这个名字保存的网页或指针文件不是模型。</translation>
        </message>
        <message>
            <source>The model file {path} is cut off: {have} of {need} bytes are there.</source>
            <translation>模型文件 {path} 不完整：{need} 字节中只有 {have} 字节。</translation>
        </message>
        <message>
            <source>Download it again; the first part is good, the rest is missing.</source>
            <translation>请重新下载；前面的部分是好的，后面的缺失。</translation>
        </message>
        <message>
            <source>The header of the model file {path} is damaged: {detail}.</source>
            <translation>模型文件 {path} 的文件头已损坏：{detail}。</translation>
        </message>
        <message>
            <source>Download the file again.</source>
            <translation>请重新下载该文件。</translation>
        </message>
        <message>
            <source>This engine cannot run the model {path}: {detail}.</source>
            <translation>这个引擎无法运行模型 {path}：{detail}。</translation>
        </message>
        <message>
            <source>The model loaded before was unloaded; your conversations are untouched.</source>
            <translation>之前的模型已卸下；你的对话没有变动。</translation>
        </message>
        <message>
            <source>Choose another model, or a newer version of the app.</source>
            <translation>请选择其他模型，或使用更新版本的应用。</translation>
        </message>
        <message>
            <source>The model needs about {need_mb} MB of memory; {free_mb} MB are free.</source>
            <translation>这个模型约需 {need_mb} MB 内存；可用的有 {free_mb} MB。</translation>
        </message>
        <message>
            <source>The model was not loaded; your conversations are untouched.</source>
            <translation>模型没有加载；你的对话没有变动。</translation>
        </message>
        <message>
            <source>Close other programs, choose a smaller model, or a smaller window.</source>
            <translation>请关闭其他程序，或选择较小的模型或窗口。</translation>
        </message>
        <message>
            <source>Loading the model was stopped.</source>
            <translation>模型加载已停止。</translation>
        </message>
        <message>
            <source>Your conversations are untouched.</source>
            <translation>你的对话没有变动。</translation>
        </message>
        <message>
            <source>Choose a model when you are ready.</source>
            <translation>准备好后请选择模型。</translation>
        </message>
        <message>
            <source>There is no chat template named {name}.</source>
            <translation>没有名为 {name} 的对话模板。</translation>
        </message>
        <message>
            <source>The template in use stays.</source>
            <translation>仍使用现在的模板。</translation>
        </message>
        <message>
            <source>Known names: {known}.</source>
            <translation>可用的名称：{known}。</translation>
        </message>
        <message>
            <source>The starter model could not be fetched: {detail}.</source>
            <translation>无法获取入门模型：{detail}。</translation>
        </message>
        <message>
            <source>Nothing was installed.</source>
            <translation>什么都没有安装。</translation>
        </message>
        <message>
            <source>Check the connection and run the command again, or choose a GGUF file you have.</source>
            <translation>请检查网络后再试，或选择你已有的 GGUF 文件。</translation>
        </message>
        <message>
            <source>Kotonia is already open with the data folder {path}.</source>
            <translation>Kotonia 已经打开了数据文件夹 {path}。</translation>
        </message>
        <message>
            <source>Use the open window, close it first, or name another folder: kotonia --data-dir FOLDER.</source>
            <translation>请使用已打开的窗口，或先关闭它，或指定其他文件夹：kotonia --data-dir 文件夹。</translation>
        </message>
        <message>
            <source>The data in {path} was written by a newer version ({found}; this one knows {known}).</source>
            <translation>{path} 中的数据由更新的版本写成（{found}；本版本只认识到 {known}）。</translation>
        </message>
        <message>
            <source>The file was not touched.</source>
            <translation>文件没有被改动。</translation>
        </message>
        <message>
            <source>Install the newer version again, or use another data folder.</source>
            <translation>请重新安装更新的版本，或使用其他数据文件夹。</translation>
        </message>
        <message>
            <source>The data file {path} is damaged ({detail}).</source>
            <translation>数据文件 {path} 已损坏（{detail}）。</translation>
        </message>
        <message>
            <source>Copy the data folder to a safe place; then open an older copy of the folder.</source>
            <translation>请先把数据文件夹复制到安全的地方，再打开较早的备份。</translation>
        </message>
        <message>
            <source>The file {path} is a database of another program.</source>
            <translation>文件 {path} 是其他程序的数据库。</translation>
        </message>
        <message>
            <source>Choose another data folder.</source>
            <translation>请选择其他数据文件夹。</translation>
        </message>
        <message>
            <source>The disk is full: {path} could not be written.</source>
            <translation>磁盘已满：{path} 无法写入。</translation>
        </message>
        <message>
            <source>All that was saved before is intact; your text is still in the composer.</source>
            <translation>之前保存的都完好；你的文字还在输入框里。</translation>
        </message>
        <message>
            <source>Free some space, then send again.</source>
            <translation>请腾出空间后再发送。</translation>
        </message>
        <message>
            <source>{path} could not be written ({detail}).</source>
            <translation>{path} 无法写入（{detail}）。</translation>
        </message>
        <message>
            <source>Check the disk and the folder's permissions, then try again.</source>
            <translation>请检查磁盘和文件夹权限，然后再试。</translation>
        </message>
        <message>
            <source>The database library is too old ({found}; {need} is needed): it can damage the data.</source>
            <translation>数据库组件太旧（{found}；需要 {need}），可能损坏数据。</translation>
        </message>
        <message>
            <source>The data was not opened.</source>
            <translation>数据没有打开。</translation>
        </message>
        <message>
            <source>Install the app again: python3 packaging/setup.py run.</source>
            <translation>请重新安装应用：python3 packaging/setup.py run。</translation>
        </message>
        <message>
            <source>There is no {what} {key}.</source>
            <translation>没有 {what} {key}。</translation>
        </message>
        <message>
            <source>Choose one from the list.</source>
            <translation>请从列表中选择。</translation>
        </message>
        <message>
            <source>{name} could not be imported: {detail}.</source>
            <translation>{name} 无法导入：{detail}。</translation>
        </message>
        <message>
            <source>Nothing was imported; the library is as it was.</source>
            <translation>没有导入任何内容；资料库保持原样。</translation>
        </message>
        <message>
            <source>Check that the file is whole; supported are cards (PNG, JSON; V1, V2, V3), SillyTavern chats (JSONL) and dialogues (JSON).</source>
            <translation>请确认文件完整；支持角色卡（PNG、JSON；V1、V2、V3）、SillyTavern 聊天记录（JSONL）和对话（JSON）。</translation>
        </message>
        <message>
            <source>{name} is too large: {what} is over the limit of {limit}.</source>
            <translation>{name} 太大：{what} 超过了上限 {limit}。</translation>
        </message>
        <message>
            <source>Split it or remove what is not needed.</source>
            <translation>请拆分它，或去掉不需要的部分。</translation>
        </message>
        <message>
            <source>{name} took longer than {seconds} seconds to read.</source>
            <translation>{name} 读取超过了 {seconds} 秒。</translation>
        </message>
        <message>
            <source>The file is damaged or made to do harm; get it from another source.</source>
            <translation>文件已损坏或带有恶意；请从其他来源获取。</translation>
        </message>
        <message>
            <source>{value} is no valid value for {name}: {detail}.</source>
            <translation>{value} 不能用于 {name}：{detail}。</translation>
        </message>
        <message>
            <source>The old value stays.</source>
            <translation>仍使用原来的值。</translation>
        </message>
        <message>
            <source>Give a value in the range named.</source>
            <translation>请给出范围内的值。</translation>
        </message>
    </context>
    <context>
        <name>Import</name>
        <message>
            <source>Character {name} is in the library.</source>
            <translation>角色 {name} 已放入资料库。</translation>
        </message>
        <message>
            <source>The chat {name} is in the library.</source>
            <translation>聊天记录 {name} 已导入。</translation>
        </message>
        <message>
            <source>The dialogue {name} is in the library.</source>
            <translation>对话 {name} 已导入。</translation>
        </message>
        <message numerus="yes">
            <source>%n things were repaired or left out.</source>
            <translation>
                <numerusform>有 %n 处被修复或略去。</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Memory</name>
        <message>
            <source>Close the memory</source>
            <translation>关闭记忆</translation>
        </message>
        <message>
            <source>Story</source>
            <translation>故事</translation>
        </message>
        <message>
            <source>People</source>
            <translation>人物</translation>
        </message>
        <message>
            <source>Loose ends</source>
            <translation>未了之事</translation>
        </message>
        <message>
            <source>Kept</source>
            <translation>钉住</translation>
        </message>
        <message>
            <source>Log</source>
            <translation>日志</translation>
        </message>
        <message>
            <source>Parts of the memory</source>
            <translation>记忆的各部分</translation>
        </message>
        <message>
            <source>There is nothing to write yet: the newest messages always stay word for word.</source>
            <translation>还没有可整理的内容：最新的消息始终保留原文。</translation>
        </message>
        <message>
            <source>Nothing has been forgotten. Everything so far is still in view. Older pages become chapters here when the view fills up.</source>
            <translation>目前什么都没有忘。到这里为止的对话都还看得见。放不下的时候，旧的部分会整理成章，排在这里。</translation>
        </message>
        <message>
            <source>The story so far</source>
            <translation>前情提要</translation>
        </message>
        <message>
            <source>Show less</source>
            <translation>收起</translation>
        </message>
        <message>
            <source>Read all</source>
            <translation>阅读全部</translation>
        </message>
        <message>
            <source>In view, word for word · {where}</source>
            <translation>原文可见范围 · {where}</translation>
        </message>
        <message>
            <source>Write a chapter now</source>
            <translation>现在整理一章</translation>
        </message>
        <message>
            <source>What the model sees</source>
            <translation>模型看到的内容</translation>
        </message>
        <message>
            <source>Plain: still loaded. Dotted: new, will be read.</source>
            <translation>纯色：已读入。点纹：新的，将会读取。</translation>
        </message>
        <message>
            <source>Model and last reply</source>
            <translation>模型与上一条回复</translation>
        </message>
        <message>
            <source>{used} of {room} tokens used, {percent} % of the room left</source>
            <translation>已用 {used} / {room} token，剩余空间 {percent} %</translation>
        </message>
        <message>
            <source>No model is loaded.</source>
            <translation>没有加载模型。</translation>
        </message>
        <message>
            <source>{story} tokens for the story, {memory} for memory work</source>
            <translation>故事用 {story} 个 token，记忆整理用 {memory} 个</translation>
        </message>
        <message>
            <source>{passed} of {total} replies kept to the format</source>
            <translation>{total} 条回复中有 {passed} 条符合格式</translation>
        </message>
        <message>
            <source>Change…</source>
            <translation>改动…</translation>
        </message>
        <message>
            <source>Go to message {number}</source>
            <translation>前往第 {number} 条消息</translation>
        </message>
        <message>
            <source>Hides its sentences</source>
            <translation>收起句子</translation>
        </message>
        <message>
            <source>Shows its sentences</source>
            <translation>展开句子</translation>
        </message>
        <message>
            <source>not in use</source>
            <translation>未使用</translation>
        </message>
        <message>
            <source>Where from</source>
            <translation>出处</translation>
        </message>
        <message>
            <source>Where from: show it in the log</source>
            <translation>出处：在日志中查看</translation>
        </message>
        <message>
            <source>Go to {where}</source>
            <translation>前往 {where}</translation>
        </message>
        <message>
            <source>Rename</source>
            <translation>改名</translation>
        </message>
        <message>
            <source>Title of {chapter}</source>
            <translation>{chapter}的标题</translation>
        </message>
        <message>
            <source>No chapter has been written yet.</source>
            <translation>还没有整理过章。</translation>
        </message>
        <message>
            <source>nothing was written</source>
            <translation>什么都没写</translation>
        </message>
        <message>
            <source>it was cut off</source>
            <translation>中途断了</translation>
        </message>
        <message>
            <source>the model declined</source>
            <translation>模型拒绝了</translation>
        </message>
        <message>
            <source>it went on with the story</source>
            <translation>接着写起了故事</translation>
        </message>
        <message>
            <source>it was copied from the messages</source>
            <translation>照抄了原文</translation>
        </message>
        <message>
            <source>it repeated itself</source>
            <translation>重复了自己</translation>
        </message>
        <message>
            <source>it was in another language</source>
            <translation>用了别的语言</translation>
        </message>
        <message>
            <source>nothing of it stands in the messages</source>
            <translation>写了消息里没有的事</translation>
        </message>
        <message>
            <source>it was longer than what it stands for</source>
            <translation>比原文还长</translation>
        </message>
        <message>
            <source>the engine could not write it</source>
            <translation>引擎没能写出来</translation>
        </message>
        <message>
            <source>being written</source>
            <translation>正在整理</translation>
        </message>
        <message>
            <source>written, not in use yet</source>
            <translation>已写好，尚未使用</translation>
        </message>
        <message>
            <source>chosen by you</source>
            <translation>由你选定</translation>
        </message>
        <message>
            <source>chosen by the model</source>
            <translation>由模型选定</translation>
        </message>
        <message>
            <source>its message was changed since</source>
            <translation>原消息后来改过</translation>
        </message>
        <message>
            <source>in use</source>
            <translation>使用中</translation>
        </message>
        <message>
            <source>Keep no longer</source>
            <translation>不再钉住</translation>
        </message>
        <message>
            <source>No line is kept yet. “Keep” under a message keeps it word for word.</source>
            <translation>还没有钉住的话。在消息下的“⋯”里可以一字不改地钉住。</translation>
        </message>
        <message>
            <source>not written; it will be tried again</source>
            <translation>没有写成，稍后再试</translation>
        </message>
        <message>
            <source>interrupted; it will be written later</source>
            <translation>中断了，稍后再写</translation>
        </message>
        <message>
            <source>the room filled up</source>
            <translation>空间快满了</translation>
        </message>
        <message>
            <source>the messages were out of sight</source>
            <translation>消息已经看不到了</translation>
        </message>
        <message>
            <source>you ended the chapter there</source>
            <translation>你在这里结束了一章</translation>
        </message>
        <message>
            <source>you asked for it</source>
            <translation>应你的要求</translation>
        </message>
        <message>
            <source>it was to be written anew</source>
            <translation>需要重写</translation>
        </message>
        <message>
            <source>four chapters became one part</source>
            <translation>四章合为一卷</translation>
        </message>
        <message>
            <source>New version</source>
            <translation>新版本</translation>
        </message>
        <message>
            <source>ended by the model</source>
            <translation>模型自己写完</translation>
        </message>
        <message>
            <source>ended by its length</source>
            <translation>因长度结束</translation>
        </message>
        <message>
            <source>ended by the window</source>
            <translation>因窗口结束</translation>
        </message>
        <message>
            <source>given up</source>
            <translation>放弃了</translation>
        </message>
        <message>
            <source>interrupted</source>
            <translation>中断了</translation>
        </message>
        <message>
            <source>ended by an error</source>
            <translation>因错误结束</translation>
        </message>
        <message>
            <source>Chapters are being written now.</source>
            <translation>正在整理成章。</translation>
        </message>
        <message>
            <source>It is written in the next quiet moment.</source>
            <translation>空闲下来就整理。</translation>
        </message>
        <message>
            <source>It is written once a model is loaded.</source>
            <translation>加载模型之后就整理。</translation>
        </message>
        <message>
            <source>The last attempt failed. It is tried again after the next turn.</source>
            <translation>上一次没有成功，下一轮对话之后再试。</translation>
        </message>
        <message>
            <source>The window is the one that was asked for.</source>
            <translation>窗口是设置中指定的大小。</translation>
        </message>
        <message>
            <source>The window is all that the model was trained for.</source>
            <translation>窗口是模型训练时的上限。</translation>
        </message>
        <message>
            <source>A larger window would take more time and memory for little.</source>
            <translation>更大的窗口会耗费更多时间和内存，收益甚微。</translation>
        </message>
        <message>
            <source>A larger window does not fit into this computer's memory.</source>
            <translation>更大的窗口放不进这台电脑的内存。</translation>
        </message>
        <message>
            <source>writing chapter {number}…</source>
            <translation>正在整理第 {number} 章…</translation>
        </message>
        <message>
            <source>merging four chapters into a part…</source>
            <translation>正在把四章合为一卷…</translation>
        </message>
        <message>
            <source>noting facts and loose ends…</source>
            <translation>正在记下事实和未了之事…</translation>
        </message>
        <message>
            <source>the chapters are moving into the memory…</source>
            <translation>正在把章放进记忆…</translation>
        </message>
        <message>
            <source>no model is loaded</source>
            <translation>没有加载模型</translation>
        </message>
        <message>
            <source>a chapter could not be written; it will be tried again</source>
            <translation>有一章没有写成，稍后再试</translation>
        </message>
        <message numerus="yes">
            <source>%n chapters to write, waiting for a quiet moment</source>
            <translation>
                <numerusform>还有 %n 章，等空闲时整理</numerusform>
            </translation>
        </message>
        <message>
            <source>chapters are ready, waiting for a quiet moment</source>
            <translation>章已写好，等空闲时换上</translation>
        </message>
        <message>
            <source>up to date</source>
            <translation>已是最新</translation>
        </message>
        <message>
            <source>up to date · #{newest}</source>
            <translation>已是最新 · #{newest}</translation>
        </message>
        <message>
            <source>Part {number}</source>
            <translation>第 {number} 卷</translation>
        </message>
        <message>
            <source>Chapter {number}</source>
            <translation>第 {number} 章</translation>
        </message>
        <message>
            <source>{chapter} — stands for {where}</source>
            <translation>{chapter} — 代替 {where}</translation>
        </message>
        <message>
            <source>Written by {model}</source>
            <translation>由 {model} 整理</translation>
        </message>
        <message>
            <source>Quoted, not yet retold</source>
            <translation>摘录，尚未转述</translation>
        </message>
        <message>
            <source>First sentences</source>
            <translation>各条首句</translation>
        </message>
        <message>
            <source>{seconds} s</source>
            <translation>{seconds} 秒</translation>
        </message>
        <message numerus="yes">
            <source>%n attempts were not kept</source>
            <translation>
                <numerusform>有 %n 次没有保存</numerusform>
            </translation>
        </message>
        <message>
            <source>One of {where} was changed after this was written</source>
            <translation>{where} 中有一条在这之后改过</translation>
        </message>
        <message>
            <source>{where} was changed after this was written</source>
            <translation>{where} 在这之后改过</translation>
        </message>
        <message>
            <source>Begun {when}: {why}</source>
            <translation>{when} 开始：{why}</translation>
        </message>
        <message>
            <source>No model was asked: whole lines were picked.</source>
            <translation>没有让模型写，直接摘录了原文。</translation>
        </message>
        <message>
            <source>{model} was asked, in wording {version}</source>
            <translation>由 {model} 来写（措辞版本 {version}）</translation>
        </message>
        <message>
            <source>Attempt {number}: kept</source>
            <translation>第 {number} 次：已保存</translation>
        </message>
        <message>
            <source>Attempt {number}: not kept, {why}</source>
            <translation>第 {number} 次：没有保存（{why}）</translation>
        </message>
        <message numerus="yes">
            <source>%n tokens read</source>
            <translation>
                <numerusform>读入 %n 个词元</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n tokens written</source>
            <translation>
                <numerusform>写出 %n 个词元</numerusform>
            </translation>
        </message>
        <message>
            <source>random seed {seed}</source>
            <translation>随机种子 {seed}</translation>
        </message>
        <message>
            <source>{where} is gone; the model is not shown this</source>
            <translation>{where} 已不在了，不再给模型看</translation>
        </message>
        <message numerus="yes">
            <source>%n messages ({where}) do not fit and are out of sight until a chapter is written.</source>
            <translation>
                <numerusform>有 %n 条消息（{where}）放不下，整理成章之前看不到。</numerusform>
            </translation>
        </message>
        <message>
            <source>Chapter</source>
            <translation>章</translation>
        </message>
        <message>
            <source>Part</source>
            <translation>卷</translation>
        </message>
        <message>
            <source>Out of sight up to {where}</source>
            <translation>{where} 及之前的看不到了</translation>
        </message>
        <message>
            <source>they left before there was a chapter of them</source>
            <translation>还没整理成章就放不下了</translation>
        </message>
        <message>
            <source>{before} → {after} tokens</source>
            <translation>{before} → {after} 词元</translation>
        </message>
        <message numerus="yes">
            <source>%n attempts</source>
            <translation>
                <numerusform>%n 次</numerusform>
            </translation>
        </message>
        <message>
            <source>A chapter is being written.</source>
            <translation>正在整理一章。</translation>
        </message>
        <message numerus="yes">
            <source>{chapter} now stands for %n messages.</source>
            <translation>
                <numerusform>{chapter}现在代替 %n 条消息。</numerusform>
            </translation>
        </message>
        <message>
            <source>Write it now</source>
            <translation>现在整理</translation>
        </message>
        <message>
            <source>Hides how it went</source>
            <translation>隐藏经过</translation>
        </message>
        <message>
            <source>Shows how it went</source>
            <translation>显示经过</translation>
        </message>
        <message>
            <source>Out of sight for now · {where}</source>
            <translation>暂时看不到 · {where}</translation>
        </message>
        <message>
            <source>Not true</source>
            <translation>不对</translation>
        </message>
        <message>
            <source>Only said</source>
            <translation>只是说说</translation>
        </message>
        <message>
            <source>It is so</source>
            <translation>属实</translation>
        </message>
        <message>
            <source>As it was found</source>
            <translation>按原来判断</translation>
        </message>
        <message>
            <source>Edit…</source>
            <translation>改…</translation>
        </message>
        <message>
            <source>As it was written</source>
            <translation>恢复原文</translation>
        </message>
        <message>
            <source>Hide</source>
            <translation>隐藏</translation>
        </message>
        <message>
            <source>Show again</source>
            <translation>重新显示</translation>
        </message>
        <message>
            <source>in your words</source>
            <translation>你的措辞</translation>
        </message>
        <message>
            <source>not true; the model is not shown this</source>
            <translation>不对；不给模型看</translation>
        </message>
        <message>
            <source>hidden; the model is not shown this</source>
            <translation>已隐藏；不给模型看</translation>
        </message>
        <message>
            <source>only said</source>
            <translation>只是说说</translation>
        </message>
        <message>
            <source>so by your word</source>
            <translation>依你的话属实</translation>
        </message>
        <message>
            <source>New words</source>
            <translation>新的词句</translation>
        </message>
        <message>
            <source>Open</source>
            <translation>未了</translation>
        </message>
        <message>
            <source>Asleep</source>
            <translation>沉寂</translation>
        </message>
        <message>
            <source>Settled</source>
            <translation>已了结</translation>
        </message>
        <message>
            <source>hidden</source>
            <translation>已隐藏</translation>
        </message>
        <message>
            <source>It may be settled: {text}</source>
            <translation>可能已经了结：{text}</translation>
        </message>
        <message>
            <source>Not settled after all</source>
            <translation>其实还没了结</translation>
        </message>
        <message>
            <source>Yes, settled</source>
            <translation>是，已了结</translation>
        </message>
        <message>
            <source>Not yet</source>
            <translation>还没有</translation>
        </message>
        <message>
            <source>No loose ends. What is promised, owed or looked for is kept here.</source>
            <translation>没有未了之事。许诺、欠下、寻找的事会记在这里。</translation>
        </message>
        <message>
            <source>Known</source>
            <translation>已知</translation>
        </message>
        <message>
            <source>Your word</source>
            <translation>你的话</translation>
        </message>
        <message>
            <source>Told you</source>
            <translation>听说</translation>
        </message>
        <message>
            <source>Told you, confirmed</source>
            <translation>听说，已证实</translation>
        </message>
        <message>
            <source>Two sides</source>
            <translation>表里</translation>
        </message>
        <message>
            <source>Changed</source>
            <translation>改了口</translation>
        </message>
        <message>
            <source>Your word, corrected</source>
            <translation>你的话（已更正）</translation>
        </message>
        <message>
            <source>Taken along</source>
            <translation>带来的</translation>
        </message>
        <message>
            <source>You said</source>
            <translation>你说过</translation>
        </message>
        <message>
            <source>On the surface: {text}</source>
            <translation>表面上：{text}</translation>
        </message>
        <message>
            <source>In fact: {text}</source>
            <translation>实际上：{text}</translation>
        </message>
        <message>
            <source>First: {text}</source>
            <translation>先说：{text}</translation>
        </message>
        <message>
            <source>Then: {text}</source>
            <translation>后说：{text}</translation>
        </message>
        <message>
            <source>Place</source>
            <translation>地点</translation>
        </message>
        <message>
            <source>Time</source>
            <translation>时间</translation>
        </message>
        <message>
            <source>Here</source>
            <translation>在场</translation>
        </message>
        <message>
            <source>Worn</source>
            <translation>穿着</translation>
        </message>
        <message>
            <source>Held</source>
            <translation>手里</translation>
        </message>
        <message>
            <source>Ailing</source>
            <translation>伤病</translation>
        </message>
        <message>
            <source>Now</source>
            <translation>此刻</translation>
        </message>
        <message>
            <source>Now: {name}</source>
            <translation>此刻：{name}</translation>
        </message>
        <message>
            <source>not said</source>
            <translation>没有写到</translation>
        </message>
        <message>
            <source>Typed by you; it stays until you clear it.</source>
            <translation>由你填写；清空之前一直保留。</translation>
        </message>
        <message>
            <source>The story</source>
            <translation>故事</translation>
        </message>
        <message>
            <source>you</source>
            <translation>你</translation>
        </message>
        <message>
            <source>Show {count} more</source>
            <translation>再显示{count}条</translation>
        </message>
        <message>
            <source>{count} hidden · Reveal</source>
            <translation>{count} 条隐藏的记事・揭开</translation>
        </message>
        <message>
            <source>Nothing is noted yet. When older pages become chapters, what they say of people is here.</source>
            <translation>还没有记下什么。旧页变成章节后，其中关于人物的内容会列在这里。</translation>
        </message>
        <message>
            <source>Add a fact…</source>
            <translation>补充一条事实…</translation>
        </message>
        <message>
            <source>Add a fact</source>
            <translation>补充一条事实</translation>
        </message>
    </context>
    <context>
        <name>Menu</name>
        <message>
            <source>New chat</source>
            <translation>新对话</translation>
        </message>
        <message>
            <source>Import a card or a chat…</source>
            <translation>导入角色卡或聊天记录…</translation>
        </message>
        <message>
            <source>Search all chats</source>
            <translation>搜索所有对话</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>记忆</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <source>Choose a model file…</source>
            <translation>选择模型文件…</translation>
        </message>
        <message>
            <source>Go to the next region</source>
            <translation>到下一区域</translation>
        </message>
        <message>
            <source>Quit</source>
            <translation>退出</translation>
        </message>
    </context>
    <context>
        <name>Models</name>
        <message>
            <source>for machines with {gb} GB of memory</source>
            <translation>适合 {gb} GB 内存的电脑</translation>
        </message>
        <message>
            <source>Open its page</source>
            <translation>打开它的页面</translation>
        </message>
        <message>
            <source>Models that write {language}</source>
            <translation>能写{language}的模型</translation>
        </message>
        <message>
            <source>Download a GGUF file from the model's page, then choose it here. Kotonia itself downloads nothing unless you ask.</source>
            <translation>请从模型页面下载 GGUF 文件，然后在这里选择。除非你要求，Kotonia 不会自行下载任何东西。</translation>
        </message>
    </context>
    <context>
        <name>NewChat</name>
        <message>
            <source>Who would you like to meet?</source>
            <translation>想先见谁？</translation>
        </message>
        <message>
            <source>As whom?</source>
            <translation>你扮演谁？</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>名字</translation>
        </message>
        <message>
            <source>One line about you (if you like)</source>
            <translation>用一句话介绍自己（可以不填）</translation>
        </message>
        <message>
            <source>Previous opening</source>
            <translation>上一个开场白</translation>
        </message>
        <message>
            <source>Next opening</source>
            <translation>下一个开场白</translation>
        </message>
        <message>
            <source>Step inside</source>
            <translation>走进去</translation>
        </message>
        <message>
            <source>Bring a character…</source>
            <translation>带来角色…</translation>
        </message>
        <message>
            <source>Back</source>
            <translation>返回</translation>
        </message>
        <message>
            <source>Someone new…</source>
            <translation>新的人物…</translation>
        </message>
        <message>
            <source>Opening {number}/{count}</source>
            <translation>开场白 {number}/{count}</translation>
        </message>
    </context>
    <context>
        <name>Prompt</name>
        <message>
            <source>not counted: no model is loaded</source>
            <translation>未计数：没有加载模型</translation>
        </message>
        <message numerus="yes">
            <source>%n tokens</source>
            <translation>
                <numerusform>%n 个 token</numerusform>
            </translation>
        </message>
        <message>
            <source>still loaded</source>
            <translation>已读入</translation>
        </message>
        <message>
            <source>new</source>
            <translation>新的</translation>
        </message>
        <message>
            <source>{cached} still loaded, {new} new</source>
            <translation>{cached} 已读入，{new} 是新的</translation>
        </message>
        <message>
            <source>Rules</source>
            <translation>规则</translation>
        </message>
        <message>
            <source>Character</source>
            <translation>角色</translation>
        </message>
        <message>
            <source>You</source>
            <translation>你</translation>
        </message>
        <message>
            <source>Lorebook</source>
            <translation>世界书</translation>
        </message>
        <message>
            <source>Examples</source>
            <translation>示例</translation>
        </message>
        <message>
            <source>What is remembered</source>
            <translation>记得的内容</translation>
        </message>
        <message>
            <source>Opening line</source>
            <translation>起始行</translation>
        </message>
        <message>
            <source>Messages, word for word</source>
            <translation>消息原文</translation>
        </message>
        <message>
            <source>Note to this message</source>
            <translation>这条消息的附注</translation>
        </message>
        <message>
            <source>Room for the reply</source>
            <translation>留给回复的空间</translation>
        </message>
    </context>
    <context>
        <name>Settings</name>
        <message>
            <source>No model is chosen.</source>
            <translation>没有选择模型。</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <source>Close the settings</source>
            <translation>关闭设置</translation>
        </message>
        <message>
            <source>Choose a model file…</source>
            <translation>选择模型文件…</translation>
        </message>
        <message>
            <source>Use the tiny test voice</source>
            <translation>使用微型试用模型</translation>
        </message>
        <message>
            <source>Load again</source>
            <translation>重新加载</translation>
        </message>
        <message>
            <source>As the model's author advises</source>
            <translation>按模型作者的建议</translation>
        </message>
        <message>
            <source>Steady</source>
            <translation>稳重</translation>
        </message>
        <message>
            <source>Lively</source>
            <translation>活泼</translation>
        </message>
        <message>
            <source>Language</source>
            <translation>语言</translation>
        </message>
        <message>
            <source>The language of the window. Empty: the system's.</source>
            <translation>窗口的语言。不选则与系统相同。</translation>
        </message>
        <message>
            <source>Theme</source>
            <translation>主题</translation>
        </message>
        <message>
            <source>Light or dark page.</source>
            <translation>浅色或深色页面。</translation>
        </message>
        <message>
            <source>Send with</source>
            <translation>发送键</translation>
        </message>
        <message>
            <source>The key that sends a message; the other one begins a new line. Empty: ask.</source>
            <translation>发送消息的键；另一个键用来换行。不选则会询问一次。</translation>
        </message>
        <message>
            <source>Text size</source>
            <translation>文字大小</translation>
        </message>
        <message>
            <source>Size of the conversation's text, in percent.</source>
            <translation>对话文字的大小，以百分比计。</translation>
        </message>
        <message>
            <source>Show thoughts</source>
            <translation>显示心声</translation>
        </message>
        <message>
            <source>Show what characters think without saying it.</source>
            <translation>显示角色没有说出口的想法。</translation>
        </message>
        <message>
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>The GGUF file that is loaded at start.</source>
            <translation>启动时加载的 GGUF 文件。</translation>
        </message>
        <message>
            <source>Window</source>
            <translation>窗口</translation>
        </message>
        <message>
            <source>Tokens the model sees at once. 0: as many as fit.</source>
            <translation>模型一次能看到的 token 数。0：尽可能多。</translation>
        </message>
        <message>
            <source>Chat template</source>
            <translation>对话模板</translation>
        </message>
        <message>
            <source>How turns are marked. Empty: the file's own. `completion`: plain text, for base models.</source>
            <translation>如何标记轮次。不选：用文件自带的。completion：纯文本，用于基础模型。</translation>
        </message>
        <message>
            <source>Thinking before the reply</source>
            <translation>回复前的思考</translation>
        </message>
        <message>
            <source>For models that reason: off, a short block that is closed for them, or as long as they like.</source>
            <translation>用于会推理的模型：关闭、到时由我们收尾的短思考，或不限长度。</translation>
        </message>
        <message>
            <source>Thinking budget</source>
            <translation>思考长度</translation>
        </message>
        <message>
            <source>Tokens of a short thinking block.</source>
            <translation>短思考使用的 token 数。</translation>
        </message>
        <message>
            <source>Room for what was read</source>
            <translation>已读内容的空间</translation>
        </message>
        <message>
            <source>MiB of disk for what the model has read of conversations, so that opening one takes no time. It holds their content, for your account alone. 0: keep nothing.</source>
            <translation>用于保存模型已读对话内容的磁盘空间（MiB），这样打开对话无需等待。其中包含对话内容，仅您的账户可读。0：不保存。</translation>
        </message>
        <message>
            <source>Don't play me</source>
            <translation>不要替我演</translation>
        </message>
        <message>
            <source>A reply ends before the first line that speaks or acts as you; what was cut can be shown.</source>
            <translation>回复在替你说话或行动的第一行之前结束；被截去的内容可以查看。</translation>
        </message>
        <message>
            <source>Quiet before a chapter</source>
            <translation>整理前的空闲时间</translation>
        </message>
        <message>
            <source>Seconds without typing, scrolling or a reply before old messages are written into memory. It shrinks to 0 as the room fills.</source>
            <translation>没有输入、滚动或回复多少秒后，才把旧消息整理进记忆。空间越满越短，直到 0。</translation>
        </message>
        <message>
            <source>Bring back old lines</source>
            <translation>找回旧台词</translation>
        </message>
        <message>
            <source>Old lines that a message calls for are shown to the model again, word for word, before that message: at most 350 tokens, in at most one turn of four unless you ask.</source>
            <translation>把消息所涉及的旧台词一字不改地放在该消息之前，让模型再看一次：最多 350 个 token；除非你主动问起，四轮中最多一轮。</translation>
        </message>
        <message>
            <source>Reply length</source>
            <translation>回复长度</translation>
        </message>
        <message>
            <source>Most tokens of one reply.</source>
            <translation>一条回复的最大 token 数。</translation>
        </message>
        <message>
            <source>Tidy endings</source>
            <translation>收尾工整</translation>
        </message>
        <message>
            <source>A reply near its length ends with its sentence instead of in the middle of one.</source>
            <translation>回复接近长度上限时在句末结束，而不是断在句中。</translation>
        </message>
        <message>
            <source>Temperature</source>
            <translation>温度</translation>
        </message>
        <message>
            <source>How freely the model chooses. 0: always the likeliest. -1: what the model's author advises.</source>
            <translation>模型用词的自由度。0：总选最可能的。-1：按模型作者的建议。</translation>
        </message>
        <message>
            <source>Top k</source>
            <translation>Top k</translation>
        </message>
        <message>
            <source>Choose among the k likeliest only. 0: off. -1: advised.</source>
            <translation>只从最可能的 k 个中选择。0：关闭。-1：建议值。</translation>
        </message>
        <message>
            <source>Top p</source>
            <translation>Top p</translation>
        </message>
        <message>
            <source>Choose among the likeliest that make up this share. 1: off. -1: advised.</source>
            <translation>只从合计达到这一份额的候选中选择。1：关闭。-1：建议值。</translation>
        </message>
        <message>
            <source>Min p</source>
            <translation>Min p</translation>
        </message>
        <message>
            <source>Leave out what is less likely than this share of the likeliest. 0: off. -1: advised.</source>
            <translation>去掉低于最可能者这一比例的候选。0：关闭。-1：建议值。</translation>
        </message>
        <message>
            <source>Repetition penalty</source>
            <translation>重复惩罚</translation>
        </message>
        <message>
            <source>Discourages words of the character's own recent replies. 1: off. -1: advised.</source>
            <translation>抑制角色近期回复中用过的词。1：关闭。-1：建议值。</translation>
        </message>
        <message>
            <source>Presence penalty</source>
            <translation>出现惩罚</translation>
        </message>
        <message>
            <source>Discourages any word used already.</source>
            <translation>抑制已经用过的词。</translation>
        </message>
        <message>
            <source>Frequency penalty</source>
            <translation>频率惩罚</translation>
        </message>
        <message>
            <source>Discourages words by how often they were used.</source>
            <translation>按使用次数抑制词语。</translation>
        </message>
        <message>
            <source>DRY</source>
            <translation>DRY</translation>
        </message>
        <message>
            <source>Discourages repeating whole phrases. 0: off.</source>
            <translation>抑制整句重复。0：关闭。</translation>
        </message>
        <message>
            <source>XTC probability</source>
            <translation>XTC 概率</translation>
        </message>
        <message>
            <source>How often the likeliest choices are left out. 0: off.</source>
            <translation>去掉最可能候选的频率。0：关闭。</translation>
        </message>
        <message>
            <source>XTC threshold</source>
            <translation>XTC 阈值</translation>
        </message>
        <message>
            <source>From which likelihood XTC leaves out.</source>
            <translation>XTC 从多高的可能性开始去掉。</translation>
        </message>
        <message>
            <source>Random seed</source>
            <translation>随机种子</translation>
        </message>
        <message>
            <source>-1: a new one for each reply.</source>
            <translation>-1：每条回复用新的。</translation>
        </message>
        <message>
            <source>Stop strings</source>
            <translation>停止字符串</translation>
        </message>
        <message>
            <source>A reply ends before any of these; one a line.</source>
            <translation>回复在这些内容之前结束；每行一个。</translation>
        </message>
        <message>
            <source>As the system</source>
            <translation>与系统相同</translation>
        </message>
        <message>
            <source>Light</source>
            <translation>浅色</translation>
        </message>
        <message>
            <source>Dark</source>
            <translation>深色</translation>
        </message>
        <message>
            <source>Ask</source>
            <translation>询问</translation>
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
            <translation>关闭</translation>
        </message>
        <message>
            <source>Short</source>
            <translation>短</translation>
        </message>
        <message>
            <source>Free</source>
            <translation>不限</translation>
        </message>
        <message>
            <source>The file's own</source>
            <translation>文件自带</translation>
        </message>
        <message>
            <source>Plain text (base models)</source>
            <translation>纯文本（基础模型）</translation>
        </message>
        <message>
            <source>Conversation</source>
            <translation>对话</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>记忆</translation>
        </message>
        <message>
            <source>Replies</source>
            <translation>回复</translation>
        </message>
        <message>
            <source>How words are chosen</source>
            <translation>用词方式</translation>
        </message>
    </context>
    <context>
        <name>Sidebar</name>
        <message>
            <source>Search all chats</source>
            <translation>搜索所有对话</translation>
        </message>
        <message>
            <source>New chat</source>
            <translation>新对话</translation>
        </message>
        <message>
            <source>Menu</source>
            <translation>菜单</translation>
        </message>
        <message>
            <source>Conversations</source>
            <translation>对话</translation>
        </message>
        <message>
            <source>Characters</source>
            <translation>角色</translation>
        </message>
        <message>
            <source>Title of the conversation</source>
            <translation>对话标题</translation>
        </message>
        <message>
            <source>Nothing found.</source>
            <translation>没有找到。</translation>
        </message>
        <message>
            <source>Rename</source>
            <translation>改标题</translation>
        </message>
        <message>
            <source>Remove from the list</source>
            <translation>从列表移除</translation>
        </message>
    </context>
    <context>
        <name>Start</name>
        <message>
            <source>Stories that remember.</source>
            <translation>会记得的故事。</translation>
        </message>
        <message>
            <source>A model on this computer plays the character. Nothing you write leaves it.</source>
            <translation>由这台电脑上的模型扮演角色。你写的内容不会离开它。</translation>
        </message>
        <message>
            <source>Begin with the tiny test voice</source>
            <translation>用微型试用模型开始</translation>
        </message>
        <message>
            <source>Fetch the tiny test voice (98 MB)</source>
            <translation>获取微型试用模型（98 MB）</translation>
        </message>
        <message>
            <source>The tiny test voice speaks English only and writes simply. It is there to try the app; choose a larger model for real stories.</source>
            <translation>试用模型只会写英文，文笔也简单，只用来试试应用；要写中文故事，请选择下面这样更大的模型。</translation>
        </message>
        <message>
            <source>I have a model file…</source>
            <translation>我有模型文件…</translation>
        </message>
        <message>
            <source>Which models are good?</source>
            <translation>哪些模型好？</translation>
        </message>
        <message>
            <source>Look around first</source>
            <translation>先看看</translation>
        </message>
        <message>
            <source>Who would you like to meet?</source>
            <translation>想先见谁？</translation>
        </message>
        <message>
            <source>Go on</source>
            <translation>继续</translation>
        </message>
        <message>
            <source>Bring your own character…</source>
            <translation>带来自己的角色…</translation>
        </message>
        <message>
            <source>And who are you?</source>
            <translation>那么，你是谁？</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>名字</translation>
        </message>
        <message>
            <source>One line about you (if you like)</source>
            <translation>用一句话介绍自己（可以不填）</translation>
        </message>
        <message>
            <source>Step inside</source>
            <translation>走进去</translation>
        </message>
        <message>
            <source>{name} speaks a language that the tiny test voice cannot write. Choose a larger model for this character.</source>
            <translation>试用模型写不了{name}的语言。请为这个角色选择更大的模型。</translation>
        </message>
    </context>
    <context>
        <name>Starters</name>
        <message>
            <source>A lost property office, ten minutes before closing.</source>
            <translation>失物招领处，还有十分钟关门。</translation>
        </message>
        <message>
            <source>A café with three tables, on a day of rain.</source>
            <translation>雨天的小咖啡馆。</translation>
        </message>
        <message>
            <source>A letter writer at a river crossing.</source>
            <translation>渡口的代笔先生。</translation>
        </message>
    </context>
    <context>
        <name>Status</name>
        <message>
            <source>No model</source>
            <translation>没有模型</translation>
        </message>
        <message>
            <source>{speed} tokens/s</source>
            <translation>每秒 {speed} token</translation>
        </message>
        <message>
            <source>Model: {name}</source>
            <translation>模型：{name}</translation>
        </message>
        <message>
            <source>Loading the model</source>
            <translation>正在加载模型</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>Stop loading the model</source>
            <translation>停止加载模型</translation>
        </message>
        <message>
            <source>Fetching the starter model</source>
            <translation>正在获取试用模型</translation>
        </message>
        <message>
            <source>Loading the model, {percent} %</source>
            <translation>正在加载模型 {percent} %</translation>
        </message>
        <message>
            <source>The engine stopped; the next message starts it again</source>
            <translation>引擎已停止；发送下一条消息时会重新启动</translation>
        </message>
        <message>
            <source>Choose a model to be answered</source>
            <translation>选择模型后才能得到回复</translation>
        </message>
        <message>
            <source>Ready</source>
            <translation>已就绪</translation>
        </message>
        <message>
            <source>Memory is up to date</source>
            <translation>记忆已是最新</translation>
        </message>
        <message numerus="yes">
            <source>%n messages are out of sight until a chapter is written</source>
            <translation>
                <numerusform>有 %n 条消息在整理成章之前看不到</numerusform>
            </translation>
        </message>
        <message>
            <source>Room left</source>
            <translation>余量</translation>
        </message>
        <message>
            <source>{percent} percent of the room is left</source>
            <translation>剩余空间百分之 {percent}</translation>
        </message>
        <message>
            <source>{used} of {room} tokens used</source>
            <translation>已用 {used} / {room} token</translation>
        </message>
        <message>
            <source>Last reply: {speed} tokens/s, {reread} tokens read again</source>
            <translation>上一条回复：每秒 {speed} token，重读 {reread} token</translation>
        </message>
    </context>
    <context>
        <name>Template</name>
        <message>
            <source>none in the file</source>
            <translation>文件里没有</translation>
        </message>
        <message>
            <source>the file's own cannot be read</source>
            <translation>文件自带的无法读取</translation>
        </message>
        <message>
            <source>the file's own rewrites earlier turns</source>
            <translation>文件自带的会改写之前的轮次</translation>
        </message>
        <message>
            <source>the file's own renders turns differently in different places</source>
            <translation>文件自带的在不同位置写法不同</translation>
        </message>
        <message>
            <source>the file's own refuses an order of turns we need</source>
            <translation>文件自带的拒绝我们需要的轮次顺序</translation>
        </message>
        <message>
            <source>the file's own knows no roles</source>
            <translation>文件自带的没有角色区分</translation>
        </message>
        <message>
            <source>the file's own takes too long</source>
            <translation>文件自带的耗时太长</translation>
        </message>
        <message>
            <source>the file's own tries what it may not</source>
            <translation>文件自带的试图做不允许的事</translation>
        </message>
        <message>
            <source>the file's own writes too much</source>
            <translation>文件自带的输出太多</translation>
        </message>
        <message>
            <source>Template: from the file, adapted</source>
            <translation>模板：来自文件，已调整</translation>
        </message>
        <message>
            <source>Template: from the file, checked</source>
            <translation>模板：来自文件，已检查</translation>
        </message>
        <message>
            <source>Template: plain text, without roles</source>
            <translation>模板：纯文本，不分角色</translation>
        </message>
        <message>
            <source>Template: {name}, chosen by you</source>
            <translation>模板：{name}，由你选择</translation>
        </message>
        <message>
            <source>Template: {reason}; using {name}</source>
            <translation>模板：{reason}；使用 {name}</translation>
        </message>
    </context>
    <context>
        <name>Time</name>
        <message>
            <source>just now</source>
            <translation>刚刚</translation>
        </message>
        <message numerus="yes">
            <source>%n min ago</source>
            <translation>
                <numerusform>%n 分钟前</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>Transcript</name>
        <message>
            <source>{name} is writing</source>
            <translation>{name} 正在写</translation>
        </message>
        <message>
            <source>Reading back, {percent} %</source>
            <translation>正在回读 {percent} %</translation>
        </message>
        <message>
            <source>{name} is thinking it over</source>
            <translation>{name} 正在斟酌</translation>
        </message>
        <message>
            <source>Conversation</source>
            <translation>对话</translation>
        </message>
        <message>
            <source>To the newest</source>
            <translation>到最新处</translation>
        </message>
        <message>
            <source>New text ↓</source>
            <translation>有新内容 ↓</translation>
        </message>
        <message>
            <source>Go to the new text</source>
            <translation>到新内容处</translation>
        </message>
        <message>
            <source>Stopped while thinking</source>
            <translation>思考时中断</translation>
        </message>
        <message>
            <source>Stopped before it spoke for you</source>
            <translation>在替你说话之前停下</translation>
        </message>
        <message>
            <source>Reached its length</source>
            <translation>已到长度上限</translation>
        </message>
        <message>
            <source>No room left in the model's view</source>
            <translation>模型的空间已满</translation>
        </message>
        <message>
            <source>Stopped by you</source>
            <translation>由你停止</translation>
        </message>
        <message>
            <source>Interrupted; what was written is kept</source>
            <translation>被中断；写出的部分已保留</translation>
        </message>
        <message>
            <source>Ended by an error; what was written is kept</source>
            <translation>因错误结束；写出的部分已保留</translation>
        </message>
        <message>
            <source>Considered first</source>
            <translation>先斟酌了一下</translation>
        </message>
        <message>
            <source>Considered for {seconds} s</source>
            <translation>斟酌了 {seconds} 秒</translation>
        </message>
        <message>
            <source>{name}, message {number}.</source>
            <translation>{name}，第 {number} 条。</translation>
        </message>
        <message>
            <source>Thinks: {text}</source>
            <translation>心声：{text}</translation>
        </message>
        <message>
            <source>Out of character: {text}</source>
            <translation>场外：{text}</translation>
        </message>
        <message>
            <source>Off the record: the model does not see this</source>
            <translation>不记入：模型看不到这条</translation>
        </message>
        <message>
            <source>The chapter ends here</source>
            <translation>本章到此为止</translation>
        </message>
        <message>
            <source>Alternate {index}/{count}</source>
            <translation>另一版 {index}/{count}</translation>
        </message>
        <message>
            <source>out of character</source>
            <translation>场外</translation>
        </message>
        <message>
            <source>hide</source>
            <translation>收起</translation>
        </message>
        <message>
            <source>show</source>
            <translation>查看</translation>
        </message>
        <message>
            <source>Save</source>
            <translation>保存</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>Ctrl+Enter saves, Esc leaves it as it was</source>
            <translation>Ctrl+Enter 保存，Esc 保持原样</translation>
        </message>
        <message>
            <source>Edit this message</source>
            <translation>编辑这条消息</translation>
        </message>
        <message>
            <source>Previous alternate</source>
            <translation>上一版</translation>
        </message>
        <message>
            <source>Previous alternate (←)</source>
            <translation>上一版（←）</translation>
        </message>
        <message>
            <source>Next alternate</source>
            <translation>下一版</translation>
        </message>
        <message>
            <source>Next alternate (→)</source>
            <translation>下一版（→）</translation>
        </message>
        <message>
            <source>Another version (Ctrl+R); this one is kept</source>
            <translation>重新生成（Ctrl+R）；这一版会保留</translation>
        </message>
        <message>
            <source>Continue</source>
            <translation>继续</translation>
        </message>
        <message>
            <source>More for this message</source>
            <translation>这条消息的更多操作</translation>
        </message>
        <message>
            <source>Edit</source>
            <translation>编辑</translation>
        </message>
        <message>
            <source>Copy</source>
            <translation>复制</translation>
        </message>
        <message>
            <source>Another version</source>
            <translation>重新生成</translation>
        </message>
        <message>
            <source>Show or hide what was cut</source>
            <translation>查看或收起被截去的内容</translation>
        </message>
        <message>
            <source>Show or hide what was considered</source>
            <translation>查看或收起斟酌的内容</translation>
        </message>
        <message>
            <source>Off the record</source>
            <translation>不记入</translation>
        </message>
        <message>
            <source>On the record again</source>
            <translation>重新记入</translation>
        </message>
        <message>
            <source>End the chapter here</source>
            <translation>在此结束本章</translation>
        </message>
        <message>
            <source>Do not end it here</source>
            <translation>不在此结束</translation>
        </message>
        <message>
            <source>Keep word for word</source>
            <translation>一字不改地钉住</translation>
        </message>
        <message>
            <source>This is a loose end</source>
            <translation>这是未了之事</translation>
        </message>
        <message>
            <source>Delete</source>
            <translation>删除</translation>
        </message>
        <message>
            <source>Delete from here on</source>
            <translation>从这里往后删除</translation>
        </message>
        <message>
            <source>Have it answered</source>
            <translation>请求回复</translation>
        </message>
    </context>
    <context>
        <name>Window</name>
        <message>
            <source>{character} and you ({persona})</source>
            <translation>{character} 与你（{persona}）</translation>
        </message>
        <message numerus="yes">
            <source>%n messages</source>
            <translation>
                <numerusform>%n 条消息</numerusform>
            </translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>记忆</translation>
        </message>
        <message>
            <source>This conversation</source>
            <translation>这个对话</translation>
        </message>
        <message>
            <source>Close this line</source>
            <translation>关闭这一行</translation>
        </message>
        <message>
            <source>Kept. Memory shows it under “Kept”.</source>
            <translation>已钉住。可在记忆的“钉住”里看到。</translation>
        </message>
        <message>
            <source>Noted. Memory shows it under “Loose ends”.</source>
            <translation>已记下。可在记忆的“未了之事”里看到。</translation>
        </message>
        <message numerus="yes">
            <source>%n messages deleted</source>
            <translation>
                <numerusform>已删除 %n 条消息</numerusform>
            </translation>
        </message>
        <message>
            <source>Undo</source>
            <translation>撤销</translation>
        </message>
        <message>
            <source>The deleted messages are back.</source>
            <translation>删除的消息已恢复。</translation>
        </message>
        <message>
            <source>The text is as it was before.</source>
            <translation>文字已恢复原样。</translation>
        </message>
        <message>
            <source>The alternate before is shown again.</source>
            <translation>已切回之前的版本。</translation>
        </message>
        <message>
            <source>There is nothing to undo.</source>
            <translation>没有可撤销的操作。</translation>
        </message>
        <message>
            <source>Show models that can</source>
            <translation>查看合适的模型</translation>
        </message>
        <message>
            <source>en</source>
            <translation>zh</translation>
        </message>
        <message>
            <source>This is used when the model is loaded again.</source>
            <translation>重新加载模型后生效。</translation>
        </message>
        <message>
            <source>The conversation is off the list.</source>
            <translation>对话已从列表移除。</translation>
        </message>
        <message>
            <source>Choose a model file</source>
            <translation>选择模型文件</translation>
        </message>
        <message>
            <source>Import a card or a chat</source>
            <translation>导入角色卡或聊天记录</translation>
        </message>
        <message>
            <source>Cards and chats</source>
            <translation>角色卡和聊天记录</translation>
        </message>
        <message>
            <source>{model} cannot write {language}: {name} needs another model.</source>
            <translation>{model} 写不了{language}：{name} 需要其他模型。</translation>
        </message>
        <message>
            <source>Something in Kotonia failed. Your text is safe; what happened is in the log.</source>
            <translation>Kotonia 内部出了故障。你的文字是安全的；详情在日志里。</translation>
        </message>
        <message>
            <source>You are</source>
            <translation>你扮演</translation>
        </message>
        <message>
            <source>Replies are written as</source>
            <translation>回复的写法</translation>
        </message>
        <message>
            <source>Prose</source>
            <translation>散文</translation>
        </message>
        <message>
            <source>Script, a line for each voice</source>
            <translation>剧本（每人一行）</translation>
        </message>
    </context>
</TS>

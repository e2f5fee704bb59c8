"""The first names that are frequent in French clubs, without accents and capitals."""

NAMES = """
    abel achille adele adeline adrien adrienne agathe agnes aime aimee alain alban albane albert alberte alex
    alexandra alexandre alexia alexis alfred alice alicia aline alix alma aloys alphonse amandine amaury ambre
    amedee amelie anais anatole andre andrea andree andrew ange angela angele angelina angelique anita ann
    anna annabelle anne annette annick annie anouk anselme anthony antoine antoinette antonin antonio apolline
    ariane aristide arlette armand armande armelle arnaud arsene arthur astrid aubin aude audrey auguste
    augustin aurelie aurelien aurore axel axelle aymeric baptiste barbara barnabe barthelemy basile bastien
    beatrice benedicte benjamin benoit berenice bernadette bernard berthe bertrand blaise blanche boris brahim
    brice brigitte bruno camille carine carla carmen carole caroline catherine cathy cecile cedric celestin
    celia celine cesar chantal charles charlotte chloe christelle christian christiane christine christophe
    claire clara clarisse claude claudette claudie claudine clement clementine clotilde clovis colette colin
    coline come constance constant constantin coralie corentin corinne cyprien cyril cyrille damien dan daniel
    daniele danielle danny david davy deborah delphine denis denise denys desire desiree diane didier dimitri
    dominique donatien dorothee edgar edith edmond edouard edwige eleonore eliane elie eliott elisa elisabeth
    elise ella elodie eloi eloise elsa emeline emeric emile emilie emilien emma emmanuel emmanuelle enzo eric
    erica ernest erwan esteban estelle esther etienne eugene eugenie eva evan evelyne fabien fabienne fabrice
    fanny fatima faustine felicie felicien felix ferdinand fernand fernande fiona firmin flavie flavien fleur
    florence florent florian france francesca francine francis franck francois francoise frank frederic
    frederique gabin gabriel gabrielle gael gaelle gaetan gaspard gaston gauthier gautier genevieve geoffroy
    george georges georgette gerald geraldine gerard germain germaine gerome ghislain ghislaine gilbert
    gilberte gille gilles gisele gladys godefroy gontran gregoire gregory guillaume gustave guy gwenael
    gwenaelle gwendoline hassan hector helene henri henriette henry herve hippolyte honore honorine hortense
    hubert hugo hugues huguette ibrahim ida ines ingrid irene iris isaac isabelle isidore ismael ivan jacky
    jacob jacqueline jacques jade james janine jasmine jean jeanne jeannette jeannine jeremie jeremy jerome
    jessica jimmy joachim joan jocelyne joel joelle joffrey johan johanna john jonas jonathan jordan joris
    jose josee joseline joseph josephine josette josiane josselin josue joy judith jules julia julian julie
    julien julienne juliette justin justine karim karine karl katia kevin khaled killian laetitia lambert lara
    laure laurence laurent laurette laurie laurine lea leandre leo leon leonard leonce leonie leopold lilian
    liliane lily lina linda line lionel lisa lise lisette loic lola loris lou louane louis louise loup luc
    luca lucas lucette lucie lucien lucienne lucile ludivine ludovic lydia lydie lyse madeleine mael maelle
    magali magalie maite malik malo manon manuel manuela marc marceau marcel marcelle margaux margot
    marguerite maria mariam marianne marie marielle marilyne marin marina marine mario marion marius marjorie
    marlene martha marthe martial martin martine martinien mary maryline maryse maryvonne mathias mathieu
    mathilde mathis mathurin matteo matthias matthieu maud maurice maurine max maxence maxime maximilien mehdi
    melanie melissa melodie mia michael michel michele micheline michelle mickael mireille mohamed mohammed
    moise monique morgan morgane muriel mylene myriam nabil nadege nadia nadine nans narcisse natacha nathalie
    nathan nestor nicolas nicole nina noah noam noe noel noelle noemie nora norah norbert octave odette odile
    odilon olga olivia olivier omar ondine oscar oswald pablo paola pascal pascale pascaline patrice patricia
    patrick paul paula paule paulette paulin pauline perrine peter philibert philippe philomene pierre
    pierrette pierrick placide prosper quentin rachel rachid raoul raphael raphaelle raymond raymonde regine
    regis reine remi remy renaud rene renee richard robert roberte robin roch rodolphe rodrigue roger roland
    rolande romain romane romeo romuald ronan rosa rosalie rose roseline roxane ruben sabine sabrina sacha
    salome salvador samia samir samuel sandra sandrine sara sarah sebastien segolene selma serge severin
    severine sidney sidonie simeon simon simone sofia solange solene sonia sophie stanislas stella stephane
    stephanie steve suzanne suzette suzon sven sybille sylvain sylvaine sylvestre sylvette sylviane sylvie
    tanguy tania tatiana teddy thadee thea theo theodore theophile therese thibaud thibault thibaut thierry
    thiphaine thomas timothe timothee titouan tom tony toussaint tristan ugo ulysse urbain ursule valentin
    valentine valere valerie valery vanessa vera veronique victoire victor victoria victorien vincent violaine
    violette virgile virginie viviane vivien wanda warren wilfrid wilfried william willy xavier yaelle yan
    yanis yann yannick yannis yasmine yoan yoann yohan yolande youri youssef yvan yves yvette yvon yvonne
    zacharie zelie zephyrin zoe zohra
"""
FIRST_NAMES = frozenset(NAMES.split())
